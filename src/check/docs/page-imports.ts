import type { Import } from './page.ts';
import { sourceOf } from './page-danger.ts';
import { lineOfScript } from './page-jsx.ts';
import type { Outline } from './page-outline.ts';
import { children } from './page-script.ts';
import { attributeOf } from './page-tag.ts';

/** Imports, re-exports, and the snippets that `<Snippet file="…" />` names. */
export function importsOf({ scripts, tags }: Outline): readonly Import[] {
  const imports = scripts
    .filter(({ kind }) => kind === 'esm')
    .flatMap(({ program, line }) =>
      children(program, 'body').flatMap((statement) => {
        const source = sourceOf(statement);
        return source === undefined ? [] : [{ source, line: lineOfScript(statement) ?? line }];
      }),
    );
  const snippets = tags.flatMap((tag) => {
    const file = tag.name === 'Snippet' ? attributeOf(tag, 'file')?.value : undefined;
    return file === undefined
      ? []
      : [{ source: `/snippets/${file.replace(/^\/+/, '')}`, line: tag.line }];
  });
  return [...imports, ...snippets];
}
