/** As much of JSON Schema as scenario.schema.json uses; a keyword it does not know is an error and never passes by. */
export function accepts(schema: unknown, value: unknown, root: unknown = schema): boolean {
  if (!isObject(schema)) throw new TypeError('A schema is an object.');
  return Object.entries(schema).every(([keyword, rule]) => {
    const check = KEYWORDS[keyword];
    if (check === undefined) throw new TypeError(`The keyword "${keyword}" is not known here.`);
    return check({ rule, value, schema, root });
  });
}

interface Question {
  readonly rule: unknown;
  readonly value: unknown;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly root: unknown;
}

const always = (): boolean => true;

const KEYWORDS: Readonly<Record<string, (question: Question) => boolean>> = {
  $schema: always,
  $id: always,
  $defs: always,
  title: always,
  description: always,
  $ref: ({ rule, value, root }) => accepts(resolve(root, String(rule)), value, root),
  type: ({ rule, value }) => isOfType(String(rule), value),
  enum: ({ rule, value }) => listOf(rule).includes(value),
  anyOf: ({ rule, value, root }) => listOf(rule).some((schema) => accepts(schema, value, root)),
  pattern: ({ rule, value }) => typeof value !== 'string' || new RegExp(String(rule)).test(value),
  minLength: ({ rule, value }) => typeof value !== 'string' || value.length >= Number(rule),
  maxLength: ({ rule, value }) => typeof value !== 'string' || value.length <= Number(rule),
  minimum: ({ rule, value }) => typeof value !== 'number' || value >= Number(rule),
  maximum: ({ rule, value }) => typeof value !== 'number' || value <= Number(rule),
  minItems: ({ rule, value }) => !Array.isArray(value) || value.length >= Number(rule),
  maxItems: ({ rule, value }) => !Array.isArray(value) || value.length <= Number(rule),
  items: ({ rule, value, root }) => !Array.isArray(value) || value.every((inner) => accepts(rule, inner, root)),
  required: ({ rule, value }) => !isObject(value) || listOf(rule).every((key) => Object.hasOwn(value, String(key))),
  properties: ({ rule, value, root }) =>
    !isObject(value) ||
    !isObject(rule) ||
    Object.entries(rule).every(([key, schema]) => !Object.hasOwn(value, key) || accepts(schema, value[key], root)),
  additionalProperties: ({ rule, value, schema, root }) => {
    const known = isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
    const others = isObject(value) ? Object.entries(value).filter(([key]) => !known.includes(key)) : [];
    return others.every(([, inner]) => rule !== false && accepts(rule, inner, root));
  },
  propertyNames: ({ rule, value, root }) =>
    !isObject(value) || Object.keys(value).every((key) => accepts(rule, key, root)),
};

function resolve(root: unknown, path: string): unknown {
  return path
    .slice(2)
    .split('/')
    .reduce((schema: unknown, key) => (isObject(schema) ? schema[key] : undefined), root);
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'object') return isObject(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  return typeof value === type;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
