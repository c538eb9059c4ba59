import type { Expression, Pattern, Program, SpreadElement, Super } from 'estree';

/** A value that an expression or a JSON file writes out. */
export type Literal = string | number | boolean | null | readonly Literal[] | LiteralObject;

export interface LiteralObject {
  readonly [key: string]: Literal;
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

/** What a module imports: where from, and the names in its own code. */
export function importsIn(
  program: MaybeProgram,
): readonly { readonly source: string; readonly names: readonly string[] }[] {
  return (program?.body ?? []).flatMap((statement) => {
    const source = 'source' in statement ? statement.source?.value : undefined;
    const specifiers = 'specifiers' in statement ? statement.specifiers : [];
    const names = specifiers.flatMap(({ local }) =>
      local.type === 'Identifier' ? [local.name] : [],
    );
    return typeof source === 'string' ? [{ source, names }] : [];
  });
}

/** Whether a module has nothing but imports. */
export function hasOnlyImports(program: MaybeProgram): boolean {
  const isImport = ({ type }: Program['body'][number]) => type === 'ImportDeclaration';
  return (program?.comments?.length ?? 0) === 0 && (program?.body ?? []).every(isImport);
}

const identifier = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;

/** Every name that stands in code: what it declares is among them. */
export function namesInCode(code: string): readonly string[] {
  return code.match(identifier) ?? [];
}
