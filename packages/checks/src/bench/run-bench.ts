import { decodeFigure, linearFigure } from './decode.js';
import { drainFigure, idleFigure } from './held.js';
import { figureLine } from './measure.js';
import type { Figure } from './measure.js';
import { proxyFigures } from './proxy.js';

/** Measures everything that the product promises about cost and prints one line a figure. Exit code 1 where a goal is missed. */
export async function runBench(print: (line: string) => void): Promise<number> {
  const figures: Figure[] = [];
  const report = (figure: Figure): void => {
    figures.push(figure);
    print(figureLine(figure));
  };
  report(decodeFigure());
  report(linearFigure());
  for (const figure of await proxyFigures()) report(figure);
  report(await idleFigure());
  report(await drainFigure());
  const over = figures.filter((figure) => !(figure.value <= figure.goal));
  print(`${figures.length - over.length} within their goals, ${over.length} over`);
  return over.length === 0 ? 0 : 1;
}
