import type { JsonObject, JsonValue, ToolChoice, ToolDefinition } from '../../turn/index.js';
import { isRecord } from '../../wire/index.js';
import { requestInvalid } from '../request-invalid.js';
import { isList, textOf } from './wire.js';

export interface ReadTools {
  readonly functions: readonly ToolDefinition[];
  /** Custom tools and a server's own, which have no neutral form. */
  readonly others: readonly JsonObject[];
}

export function readTools(tools: JsonValue | undefined): ReadTools {
  if (tools === undefined || tools === null) return { functions: [], others: [] };
  if (!isList(tools)) throw requestInvalid('"tools" must be a list of tools.');
  const functions: ToolDefinition[] = [];
  const others: JsonObject[] = [];
  for (const [index, tool] of tools.entries()) {
    if (!isRecord(tool)) throw requestInvalid(`"tools[${index}]" must be an object with "type" and "function".`);
    if (tool.type === 'function' || tool.type === undefined)
      functions.push(readFunction(tool.function, `tools[${index}].function`));
    else others.push(tool);
  }
  return { functions, others };
}

export interface ReadToolChoice {
  readonly toolChoice: ToolChoice | undefined;
  /** A choice that only this wire knows, such as a list of allowed tools. */
  readonly foreign: JsonValue | undefined;
}

export function readToolChoice(choice: JsonValue | undefined): ReadToolChoice {
  if (choice === undefined || choice === null) return { toolChoice: undefined, foreign: undefined };
  if (choice === 'auto' || choice === 'none' || choice === 'required')
    return { toolChoice: choice, foreign: undefined };
  return readNamedChoice(choice);
}

function readNamedChoice(choice: JsonValue): ReadToolChoice {
  if (!isRecord(choice)) {
    throw requestInvalid('"tool_choice" must be "auto", "none", "required" or an object that names a function.');
  }
  if (choice.type !== 'function') return { toolChoice: undefined, foreign: choice };
  const name = isRecord(choice.function) ? textOf(choice.function.name) : '';
  if (name === '') throw requestInvalid('"tool_choice.function.name" is missing.');
  return { toolChoice: { name }, foreign: undefined };
}

function readFunction(fn: JsonValue | undefined, at: string): ToolDefinition {
  const name = isRecord(fn) ? textOf(fn.name) : '';
  if (!isRecord(fn) || name === '') throw requestInvalid(`"${at}.name" is missing.`);
  const { description, parameters, strict } = fn;
  if (parameters !== undefined && parameters !== null && !isRecord(parameters)) {
    throw requestInvalid(`"${at}.parameters" must be a JSON Schema.`);
  }
  return {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    ...(isRecord(parameters) ? { parameters } : {}),
    ...(typeof strict === 'boolean' ? { strict } : {}),
  };
}
