import type { Script } from './page-outline.ts';
import {
  type Constants,
  child,
  children,
  foldString,
  type ScriptNode,
  text,
} from './page-script.ts';

/** Strings that the page exports, so that an address made of them can be read. */
export function constantsIn(scripts: readonly Script[]): Constants {
  const constants = new Map<string, string>();
  for (const declarator of scripts.flatMap(declaratorsIn)) {
    const value = foldString(child(declarator, 'init'), constants);
    const name = text(child(declarator, 'id'), 'name');
    if (value !== undefined && name !== undefined) {
      constants.set(name, value);
    }
  }
  return constants;
}

function declaratorsIn({ kind, program }: Script): readonly ScriptNode[] {
  return kind === 'esm'
    ? children(program, 'body').flatMap((statement) =>
        children(child(statement, 'declaration') ?? statement, 'declarations'),
      )
    : [];
}
