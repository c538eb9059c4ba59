import { createHash } from 'node:crypto';
import type { Outline } from './page-outline.ts';
import { child, children, endOf, type ScriptNode, startOf, text } from './page-script.ts';

/** The statements at the top of a page by the names that they declare. */
export type Declarations = ReadonlyMap<string, string>;

export function declarationsOf(outline: Outline): Declarations {
  const statements = outline.scripts.flatMap(({ kind, program }) =>
    kind === 'esm' ? children(program, 'body') : [],
  );
  return new Map(
    statements.flatMap((statement) => {
      const source = outline.text.slice(startOf(statement), endOf(statement));
      return namesOf(statement).map((name): [string, string] => [name, source]);
    }),
  );
}

function namesOf(statement: ScriptNode): readonly string[] {
  const declaration = child(statement, 'declaration') ?? statement;
  const ids = [
    child(declaration, 'id'),
    ...children(declaration, 'specifiers').map((one) => child(one, 'local')),
    ...children(declaration, 'declarations').map((one) => child(one, 'id')),
  ];
  return ids.flatMap((id) => text(id, 'name') ?? []);
}

/** Of a thousand declarations that name each other, all the lists would fill the memory. */
const mostUses = 50;

function digestOf(sources: readonly string[]): string {
  return createHash('sha256').update(sources.join('\n')).digest('hex');
}

/** The declarations that a piece of code names, and those that they name; of very many, a digest. */
export function usesOf(code: string, declarations: Declarations): readonly string[] {
  const found = new Set<string>();
  const waiting = declarations.size === 0 ? [] : [code];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const word of next.match(/[\p{L}\p{N}_$]+/gu) ?? []) {
      const source = declarations.get(word);
      if (source !== undefined && source !== code && !found.has(source)) {
        found.add(source);
        waiting.push(source);
      }
    }
  }
  return found.size <= mostUses ? [...found] : [digestOf([...found])];
}
