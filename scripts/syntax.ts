import { readFileSync } from 'node:fs';
import { parseAst } from 'vitest/node';

/** A piece of a program, as far as the documentation looks at it. */
export interface Node {
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A module's pieces, in the order of its text. */
export function parseModule(path: string): Node[] {
  return [...walk(parseAst(readFileSync(path, 'utf8'), { lang: 'ts' }))];
}

/** The piece that a value of the syntax tree is, if it is one. */
export function asNode(value: unknown): Node | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value)) {
    return undefined;
  }
  return { type: String(value.type), fields: { ...value } };
}

/** The pieces in a field that holds one or many. */
export function nodesIn(node: Node, field: string): Node[] {
  return [node.fields[field]].flat().flatMap((value) => asNode(value) ?? []);
}

/** The name of an identifier; empty for everything else. */
export function nameOf(node: Node | undefined): string {
  return node?.type === 'Identifier' ? String(node.fields['name']) : '';
}

/** A piece and all that it holds. */
export function* walk(value: unknown): Generator<Node> {
  if (Array.isArray(value)) {
    for (const each of value) yield* walk(each);
    return;
  }
  const node = asNode(value);
  if (node !== undefined) {
    yield node;
    yield* walk(Object.values(node.fields).filter((field) => typeof field === 'object'));
  }
}
