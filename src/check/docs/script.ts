import type { Node, Program, Property, SpreadElement } from 'estree';

/** A value that an expression or a JSON file writes out. */
export type Literal = string | number | boolean | null | readonly Literal[] | LiteralObject;

export interface LiteralObject {
  readonly [key: string]: Literal;
}

export function isObject(value: Literal | undefined): value is LiteralObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: Literal | undefined): value is readonly Literal[] {
  return Array.isArray(value);
}

/** The value of a key; `undefined` if it is no text. */
export function textOf(value: Literal | undefined, key: string): string | undefined {
  const text = isObject(value) ? value[key] : undefined;
  return typeof text === 'string' ? text : undefined;
}

export function textsIn(value: Literal): readonly string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What the parser of MDX gives for code. */
export type MaybeProgram = Program | null | undefined;

/** The value of an expression that is written out; `undefined` for any other expression, or one with a comment. */
export function literalOf(program: MaybeProgram): Literal | undefined {
  const [statement] = program?.body ?? [];
  return statement?.type === 'ExpressionStatement' && !hasComments(program)
    ? literalIn(statement.expression)
    : undefined;
}

function hasComments(program: MaybeProgram): boolean {
  return (program?.comments?.length ?? 0) > 0;
}

/** Rare forms, such as a negative number or a text between backticks, count as code. */
function literalIn(node: Node | null): Literal | undefined {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'bigint' || node.value instanceof RegExp
        ? undefined
        : node.value;
    case 'ArrayExpression': {
      const values = node.elements.map(literalIn);
      return values.every((value) => value !== undefined) ? values : undefined;
    }
    case 'ObjectExpression': {
      const entries = node.properties.map(propertyOf);
      return entries.every((entry) => entry !== undefined)
        ? Object.fromEntries(entries)
        : undefined;
    }
    default:
      return undefined;
  }
}

function propertyOf(property: Property | SpreadElement): readonly [string, Literal] | undefined {
  if (property.type !== 'Property' || property.computed) {
    return undefined;
  }
  const { key } = property;
  const name = key.type === 'Identifier' ? key.name : literalIn(key);
  const value = literalIn(property.value);
  return typeof name === 'string' && value !== undefined ? [name, value] : undefined;
}

export function importsIn(program: MaybeProgram): {
  readonly targets: readonly string[];
  /** Whether it has nothing but imports. */
  readonly isAll: boolean;
} {
  const body = program?.body ?? [];
  const imports = body.filter((one) => one.type === 'ImportDeclaration');
  return {
    targets: imports.map(({ source }) => String(source.value)),
    isAll: imports.length === body.length && !hasComments(program),
  };
}

/**
 * What an expression reads: a name alone such as `port`, which may be meant as text; a member of a value such as
 * `api.url` or `user?.name`; or anything else, which is code.
 */
export function readingOf(expression: string): 'text' | 'member' | 'code' {
  const plain =
    /^\s*(?!this\b)[\p{ID_Start}_$][\p{ID_Continue}$]*\s*((?:\??\.[\p{ID_Continue}$\s]+)*)$/u;
  const [, members] = plain.exec(expression) ?? [];
  return members === undefined ? 'code' : members === '' ? 'text' : 'member';
}
