import { runBench } from '@holdfast/checks';

process.exitCode = await runBench((line) => console.log(line));
