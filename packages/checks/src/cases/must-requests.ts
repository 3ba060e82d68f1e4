import type { JsonObject } from 'holdfast/turn';
import { isObject, objectAt, objectsAt, textAt, valueAt } from '../data/json.js';
import { walkObjects, walkTexts } from '../data/walk.js';
import type { RequestStatement, Words } from './statement.js';
import { holds } from './statement.js';
import type { WireDocument } from './wire-document.js';

/** Statements about a request that the provider received. */
export const REQUEST_MUSTS: readonly RequestStatement[] = [
  {
    name: 'parallel calls stay together',
    pattern: /^both functionCall parts are in the same contents entry with role model$/,
    check: (document) => {
      const holders = contentsOf(document).filter((content) =>
        objectsAt(content, 'parts').some((part) => Object.hasOwn(part, 'functionCall')),
      );
      const parts = holders
        .flatMap((content) => objectsAt(content, 'parts'))
        .filter((part) => Object.hasOwn(part, 'functionCall'));
      const isSo = holders.length === 1 && parts.length === 2 && textAt(holders[0], 'role') === 'model';
      return holds(isSo, `${parts.length} calls are in ${holders.length} entries`);
    },
  },
  {
    name: 'input is an object',
    pattern: /^the input of (\S+) in the request is a JSON object$/,
    check: (document, words) => {
      const call = objectsOf(document).find((object) => textAt(object, 'id') === words.at(1));
      return holds(objectAt(call, 'input') !== undefined, `the input is ${JSON.stringify(valueAt(call, 'input'))}`);
    },
  },
  {
    name: 'nobody is said to have stopped it',
    pattern: /^no message says that the user interrupted, stopped or cancelled the previous turn$/,
    check: (document) => {
      const said = textsOf(document).find((text) =>
        /(by the user|user (has )?)\s*(interrupt|stopp|cancel)|(interrupted|stopped|cancell?ed) by the user/i.test(
          text,
        ),
      );
      return holds(said === undefined, JSON.stringify(said));
    },
  },
  {
    name: 'each result follows its call',
    pattern: /^the message after each assistant tool call is its own result: (.+)$/,
    check: resultsFollow,
  },
  {
    name: 'told of a cut large call',
    pattern:
      /^a message after the shared prefix says that the previous attempt was cut while emitting a large tool call and asks to split it$/,
    check: (document) =>
      told(document, [
        /\bcut\b|ended|stalled|silen|did not|never (finished|arrived)/i,
        /call/i,
        /split|smaller|pieces|parts|chunks/i,
      ]),
  },
  {
    name: 'told of a call cut by the cap',
    pattern:
      /^(?:request \d+ tells the model|the model is told) that its call was cut (?:by|at) the output (?:limit|cap) and (?:that it should write less per call|should be made smaller)$/,
    check: (document) => told(document, [/cap|limit/i, /\bcut\b/i, /smaller|less|shorter|split|pieces/i]),
  },
  {
    name: 'told that the worker never replied',
    pattern: /^the content of that tool result says that the worker ended without a reply$/,
    check: (document) => told(document, [/without a(ny)? (reply|answer|result)|no (reply|answer)/i]),
  },
];

/** Texts that the request before did not have. */
function told(document: WireDocument, patterns: readonly RegExp[]): string | undefined {
  const before = new Set(document.previous === undefined ? [] : textsOf(document.previous));
  const added = textsOf(document).filter((text) => !before.has(text));
  const isTold = added.some((text) => patterns.every((pattern) => pattern.test(text)));
  return holds(isTold, `what was added is ${JSON.stringify(added).slice(0, 300)}`);
}

function resultsFollow(document: WireDocument, words: Words): string | undefined {
  const body = document.values[0];
  const messages = isObject(body) ? objectsAt(body, 'messages') : [];
  for (const [, result = '', argument = ''] of words.at(1).matchAll(/(\w+) follows \w+ (\w+)/g)) {
    const at = messages.findIndex((message) => callArguments(message).some((text) => text.includes(`"${argument}"`)));
    const next = messages[at + 1];
    const isOwn = at >= 0 && textAt(next, 'role') === 'tool' && JSON.stringify(next).includes(result);
    if (!isOwn) return `${result} does not follow the call with ${argument}`;
  }
  return undefined;
}

function callArguments(message: JsonObject): readonly string[] {
  return objectsAt(message, 'tool_calls').map((call) => textAt(objectAt(call, 'function'), 'arguments') ?? '');
}

function contentsOf(document: WireDocument): readonly JsonObject[] {
  const body = document.values[0];
  return isObject(body) ? objectsAt(body, 'contents') : [];
}

function objectsOf(document: WireDocument): readonly JsonObject[] {
  return document.values.flatMap((value) => [...walkObjects(value)]);
}

function textsOf(document: WireDocument): readonly string[] {
  return document.values.flatMap((value) => [...walkTexts(value)]);
}
