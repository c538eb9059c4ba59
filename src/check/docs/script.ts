/** A node of an ESTree, of which only the fields are read that a question needs. */
interface ScriptNode {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A value that an expression writes out; `undefined` within for what it does not. */
export type Literal = string | number | boolean | null | readonly Literal[] | LiteralObject;

interface LiteralObject {
  readonly [key: string]: Literal;
}

/** What the JavaScript in a page declares and imports. */
export interface Module {
  readonly imports: readonly { readonly source: string; readonly names: readonly string[] }[];
  /** All names that the page's own code declares, imported ones included. */
  readonly names: readonly string[];
  /** Whether there is anything besides imports. */
  readonly hasCode: boolean;
}

function isNode(value: unknown): value is ScriptNode {
  return (
    typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
  );
}

function nodesIn(node: ScriptNode, field: string): readonly ScriptNode[] {
  const value = node[field];
  return Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [];
}

function textIn(node: ScriptNode | undefined, field: string): string | undefined {
  const value = node?.[field];
  return typeof value === 'string' ? value : undefined;
}

/** The only expression of a program that MDX made of braces; `undefined` with comments or without one. */
function expressionOf(program: unknown): ScriptNode | undefined {
  if (!isNode(program) || nodesIn(program, 'comments').length > 0) {
    return undefined;
  }
  const [statement, ...others] = nodesIn(program, 'body');
  return statement === undefined || others.length > 0
    ? undefined
    : nodesIn(statement, 'expression')[0];
}

/** The value of an expression that is written out; `undefined` for any other one. */
export function literalOf(program: unknown): { readonly value: Literal } | undefined {
  const expression = expressionOf(program);
  const value = expression && literalIn(expression);
  return value === undefined ? undefined : { value };
}

function literalIn(node: ScriptNode): Literal | undefined {
  switch (node.type) {
    case 'Literal':
      return scalarOf(node['value']);
    case 'TemplateLiteral':
      return nodesIn(node, 'expressions').length === 0
        ? textOfQuasi(nodesIn(node, 'quasis')[0])
        : undefined;
    case 'UnaryExpression':
      return negativeOf(node);
    case 'ArrayExpression':
      return arrayOf(node);
    case 'ObjectExpression':
      return objectOf(nodesIn(node, 'properties'));
    default:
      return undefined;
  }
}

/** A regular expression is an object, and no scalar. */
function scalarOf(value: unknown): Literal | undefined {
  return value === null ||
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean'
    ? value
    : undefined;
}

function textOfQuasi(quasi: ScriptNode | undefined): string | undefined {
  const value: unknown = quasi?.['value'];
  return typeof value === 'object' && value !== null && 'cooked' in value
    ? String(value.cooked)
    : undefined;
}

function negativeOf(node: ScriptNode): number | undefined {
  const [argument] = nodesIn(node, 'argument');
  const value = argument && literalIn(argument);
  return node['operator'] === '-' && typeof value === 'number' ? -value : undefined;
}

function arrayOf(node: ScriptNode): readonly Literal[] | undefined {
  const values = nodesIn(node, 'elements').map(literalIn);
  const isWhole = Array.isArray(node['elements']) && node['elements'].length === values.length;
  return isWhole && values.every((value) => value !== undefined) ? values : undefined;
}

function objectOf(properties: readonly ScriptNode[]): LiteralObject | undefined {
  const entries: (readonly [string, Literal])[] = [];
  for (const property of properties) {
    const [key] = nodesIn(property, 'key');
    const [node] = nodesIn(property, 'value');
    const name = textIn(key, 'name') ?? textIn(key, 'value');
    const value = node && literalIn(node);
    if (
      property.type !== 'Property' ||
      property['computed'] === true ||
      name === undefined ||
      value === undefined
    ) {
      return undefined;
    }
    entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}

/** The first name of an expression that reads a value and nothing else, such as `port` or `api.url`. */
export function nameIn(program: unknown): string | undefined {
  let node = expressionOf(program);
  while (node?.type === 'MemberExpression' && node['computed'] !== true) {
    node = nodesIn(node, 'object')[0];
  }
  return node?.type === 'Identifier' ? textIn(node, 'name') : undefined;
}

/** Reads the imports and exports of a page. */
export function moduleOf(program: unknown): Module {
  const statements = isNode(program) ? nodesIn(program, 'body') : [];
  const imports = statements.flatMap((statement) => {
    const source = textIn(nodesIn(statement, 'source')[0], 'value');
    return source === undefined ? [] : [{ source, names: localsOf(statement) }];
  });
  const hasComments = isNode(program) && nodesIn(program, 'comments').length > 0;
  return {
    imports,
    names: statements.flatMap((statement) => [...localsOf(statement), ...declaredIn(statement)]),
    hasCode: hasComments || statements.some(({ type }) => type !== 'ImportDeclaration'),
  };
}

function localsOf(statement: ScriptNode): readonly string[] {
  return nodesIn(statement, 'specifiers').flatMap(
    (specifier) => textIn(nodesIn(specifier, 'local')[0], 'name') ?? [],
  );
}

function declaredIn(statement: ScriptNode): readonly string[] {
  const declarations = nodesIn(statement, 'declaration');
  return (declarations.length === 0 ? [statement] : declarations).flatMap((declaration) => [
    ...namesIn(nodesIn(declaration, 'id')[0]),
    ...nodesIn(declaration, 'declarations').flatMap((one) => namesIn(nodesIn(one, 'id')[0])),
  ]);
}

/** Of `a`, `{ a, b: c, ...d }` and `[a, b]`. */
function namesIn(pattern: ScriptNode | undefined): readonly string[] {
  if (pattern === undefined) {
    return [];
  }
  const own = pattern.type === 'Identifier' ? (textIn(pattern, 'name') ?? []) : [];
  const parts = ['properties', 'elements', 'value', 'argument', 'left'];
  return [own, parts.flatMap((part) => nodesIn(pattern, part)).flatMap(namesIn)].flat();
}
