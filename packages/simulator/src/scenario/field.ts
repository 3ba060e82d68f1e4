import { MisuseError } from 'holdfast/turn';
import type { JsonValue } from 'holdfast/turn';

/** A value at a named place of a scenario. Each question answers with the value in its shape, or throws naming the place. */
export class Field {
  readonly #value: unknown;
  readonly #path: string;

  constructor(value: unknown, path: string) {
    this.#value = value;
    this.#path = path;
  }

  /** The fields of an object; a field that is not in `known` is refused. */
  object(known: readonly string[]): ObjectField {
    const fields = this.map();
    for (const key of fields.keys()) {
      if (!known.includes(key)) this.#refuse(`does not take the field "${key}". It takes: ${known.join(', ')}.`);
    }
    return new ObjectField(fields, this.#path);
  }

  /** An object whose keys are free. */
  map(): ReadonlyMap<string, Field> {
    const value = this.#value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.#refuse('must be an object.');
    return new Map(Object.entries(value).map(([key, inner]) => [key, new Field(inner, join(this.#path, key))]));
  }

  list(lengthMax: number): readonly Field[] {
    if (!Array.isArray(this.#value)) this.#refuse('must be a list.');
    if (this.#value.length > lengthMax) this.#refuse(`must have at most ${lengthMax} entries.`);
    return this.#value.map((inner: unknown, n) => new Field(inner, `${this.#path}[${n}]`));
  }

  text(charsMax: number): string {
    if (typeof this.#value !== 'string') this.#refuse('must be a string.');
    if (this.#value.length > charsMax) this.#refuse(`must have at most ${charsMax} characters.`);
    return this.#value;
  }

  /** A string that is not empty. */
  words(charsMax: number): string {
    const text = this.text(charsMax);
    if (text.trim() === '') this.#refuse('must not be empty.');
    return text;
  }

  number(from: number, to: number): number {
    const value = this.#value;
    if (typeof value !== 'number' || !(value >= from && value <= to)) {
      this.#refuse(`must be a number from ${from} to ${to}.`);
    }
    return value;
  }

  integer(from: number, to: number): number {
    const value = this.number(from, to);
    if (!Number.isInteger(value)) this.#refuse('must be a whole number.');
    return value;
  }

  flag(): boolean {
    if (typeof this.#value !== 'boolean') this.#refuse('must be true or false.');
    return this.#value;
  }

  oneOf<T extends string>(allowed: readonly T[]): T {
    const found = allowed.find((name) => name === this.#value);
    if (found === undefined) this.#refuse(`must be one of: ${allowed.join(', ')}.`);
    return found;
  }

  is(kind: 'string' | 'number' | 'boolean' | 'null'): boolean {
    return kind === 'null' ? this.#value === null : typeof this.#value === kind;
  }

  /** Any JSON value, copied, so that a later change of the source does not reach the scenario. */
  json(): JsonValue {
    try {
      const text: string | undefined = JSON.stringify(this.#value);
      if (text === undefined) this.#refuse('must be a JSON value.');
      return JSON.parse(text) as JsonValue;
    } catch (cause) {
      if (cause instanceof MisuseError) throw cause;
      return this.#refuse('must be a JSON value.');
    }
  }

  refuse(complaint: string): never {
    this.#refuse(complaint);
  }

  #refuse(complaint: string): never {
    throw new MisuseError(
      'scenario_invalid',
      `Scenario field ${this.#path === '' ? '(the whole file)' : this.#path} ${complaint}`,
    );
  }
}

export class ObjectField {
  readonly #fields: ReadonlyMap<string, Field>;
  readonly #path: string;

  constructor(fields: ReadonlyMap<string, Field>, path: string) {
    this.#fields = fields;
    this.#path = path;
  }

  has(key: string): boolean {
    return this.#fields.has(key);
  }

  /** A field that must be there. */
  get(key: string): Field {
    return this.#fields.get(key) ?? new Field(undefined, join(this.#path, key));
  }

  /** `{ [key]: value }`, or nothing where the field is absent, to be spread. */
  optional<K extends string, T>(key: K, read: (field: Field) => T): { readonly [P in K]?: T } {
    const field = this.#fields.get(key);
    return field === undefined ? {} : ({ [key]: read(field) } as { readonly [P in K]?: T });
  }
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
