// npm run cases -- DIR: field failures as scripts for a fake provider, played against the real engine over real sockets.
import { casesCommand } from '@holdfast/checks';

process.exitCode = await casesCommand(process.argv.slice(2), {
  line: (text) => console.log(text),
  complaint: (text) => console.error(text),
});
