import type { Expression, Pattern, Program, SpreadElement, Super } from 'estree';

/** A value that an expression writes out. */
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

type MaybeProgram = Program | null | undefined;

/** The only expression of a program that MDX made of braces; `undefined` with comments or without one. */
function expressionOf(program: MaybeProgram): Expression | undefined {
  const [statement, ...others] = program?.body ?? [];
  const isOnly = others.length + (program?.comments?.length ?? 0) === 0;
  return isOnly && statement?.type === 'ExpressionStatement' ? statement.expression : undefined;
}

/** The value of an expression that is written out; `undefined` for any other one. */
export function literalOf(program: MaybeProgram): Literal | undefined {
  return literalIn(expressionOf(program));
}

function literalIn(
  node: Pattern | Expression | SpreadElement | null | undefined,
): Literal | undefined {
  switch (node?.type) {
    case 'Literal':
      return scalarOf(node.value);
    case 'TemplateLiteral':
      return node.expressions.length === 0
        ? (node.quasis[0]?.value.cooked ?? undefined)
        : undefined;
    case 'UnaryExpression': {
      const value = literalIn(node.argument);
      return node.operator === '-' && typeof value === 'number' ? -value : undefined;
    }
    case 'ArrayExpression': {
      const values = node.elements.map(literalIn);
      return values.every((value) => value !== undefined) ? values : undefined;
    }
    case 'ObjectExpression':
      return objectOf(node.properties.map(entryOf));
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

type Entry = readonly [string, Literal] | undefined;

function entryOf(
  property: Extract<Expression, { type: 'ObjectExpression' }>['properties'][number],
): Entry {
  if (property.type !== 'Property' || property.computed) {
    return undefined;
  }
  const { key } = property;
  const name =
    key.type === 'Identifier' ? key.name : key.type === 'Literal' ? key.value : undefined;
  const value = literalIn(property.value);
  return typeof name === 'string' && value !== undefined ? [name, value] : undefined;
}

function objectOf(entries: readonly Entry[]): LiteralObject | undefined {
  return entries.every((entry) => entry !== undefined) ? Object.fromEntries(entries) : undefined;
}

/** The first name of an expression that reads a value and nothing else, such as `port` or `api.url`. */
export function nameIn(program: MaybeProgram): string | undefined {
  let node: Expression | Super | undefined = expressionOf(program);
  while (node?.type === 'MemberExpression' && !node.computed) {
    node = node.object;
  }
  return node?.type === 'Identifier' ? node.name : undefined;
}

/** Reads the imports and exports of a page. */
export function moduleOf(program: MaybeProgram): Module {
  const statements = program?.body ?? [];
  const hasComments = (program?.comments?.length ?? 0) > 0;
  return {
    imports: statements.flatMap((statement) => {
      const source = 'source' in statement ? statement.source?.value : undefined;
      return typeof source === 'string' ? [{ source, names: localsOf(statement) }] : [];
    }),
    names: statements.flatMap((statement) => [...localsOf(statement), ...declaredIn(statement)]),
    hasCode: hasComments || statements.some(({ type }) => type !== 'ImportDeclaration'),
  };
}

type Statement = Program['body'][number];

function localsOf(statement: Statement): readonly string[] {
  const specifiers = 'specifiers' in statement ? statement.specifiers : [];
  return specifiers.flatMap(({ local }) => (local.type === 'Identifier' ? [local.name] : []));
}

function declaredIn(statement: Statement): readonly string[] {
  const declaration = 'declaration' in statement ? (statement.declaration ?? statement) : statement;
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id }) => namesIn(id));
  }
  return 'id' in declaration ? namesIn(declaration.id) : [];
}

/** Of `a`, `{ a, b: c, ...d }` and `[a, b]`. */
function namesIn(pattern: Pattern | null | undefined): readonly string[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((one) =>
        namesIn(one.type === 'Property' ? one.value : one.argument),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap(namesIn);
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    case 'RestElement':
      return namesIn(pattern.argument);
    default:
      return [];
  }
}
