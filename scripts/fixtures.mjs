// npm run fixtures -- DIR: recorded answers of providers, read whole and in every cut, against what a plain reading shows.
import { fixturesCommand } from '@holdfast/checks';

process.exitCode = await fixturesCommand(process.argv.slice(2), {
  line: (text) => console.log(text),
  complaint: (text) => console.error(text),
});
