import { parseAst } from 'vite';

/** One mention of another module in a source file, types included. */
export interface ImportMention {
  readonly from: string;
  readonly typeOnly: boolean;
}

export interface SourceFacts {
  readonly imports: readonly ImportMention[];
  /** `new Date()` or `Date()` without an argument: a clock read that no lint rule sees. */
  readonly readsDate: boolean;
}

/** Reads a TypeScript source by its syntax tree, so that comments and strings are never taken for imports. */
export function readImports(source: string): SourceFacts {
  const imports: ImportMention[] = [];
  let readsDate = false;
  walk(parseAst(source, { lang: 'ts' }), (node) => {
    const mention = mentionOf(node);
    if (mention !== undefined) imports.push(mention);
    readsDate ||= isDateRead(node);
  });
  return { imports, readsDate };
}

type Node = Readonly<Record<string, unknown>>;

function mentionOf(node: Node): ImportMention | undefined {
  const from = isNode(node['source']) ? node['source']['value'] : undefined;
  if (typeof from !== 'string') return undefined;
  switch (node['type']) {
    case 'ImportDeclaration':
      return { from, typeOnly: node['importKind'] === 'type' || areTypes(node['specifiers'], 'importKind') };
    case 'ExportAllDeclaration':
      return { from, typeOnly: node['exportKind'] === 'type' };
    case 'ExportNamedDeclaration':
      return { from, typeOnly: node['exportKind'] === 'type' || areTypes(node['specifiers'], 'exportKind') };
    case 'ImportExpression':
      return { from, typeOnly: false };
    case 'TSImportType':
      return { from, typeOnly: true };
    default:
      return undefined;
  }
}

/** `import {} from` is no type import: it runs the module. */
function areTypes(specifiers: unknown, key: string): boolean {
  if (!Array.isArray(specifiers) || specifiers.length === 0) return false;
  return specifiers.every((specifier: unknown) => isNode(specifier) && specifier[key] === 'type');
}

function isDateRead(node: Node): boolean {
  if (node['type'] !== 'NewExpression' && node['type'] !== 'CallExpression') return false;
  const callee = node['callee'];
  if (!isNode(callee) || callee['type'] !== 'Identifier' || callee['name'] !== 'Date') return false;
  return node['type'] === 'CallExpression' || (Array.isArray(node['arguments']) && node['arguments'].length === 0);
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const part of value) walk(part, visit);
    return;
  }
  if (!isNode(value)) return;
  if (typeof value['type'] === 'string') visit(value);
  for (const part of Object.values(value)) walk(part, visit);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
