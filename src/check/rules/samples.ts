import type { Change } from '../change.ts';
import type { RuleFinding } from '../finding.ts';
import { newItems } from './match.ts';
import { pageChangesOf } from './page-changes.ts';

/** Samples of which a line changed or went. Nobody runs a diagram, and a sample that went is `removed`. */
export function sampleChanged(change: Change): readonly RuleFinding[] {
  return pageChangesOf(change).flatMap(({ file, match }) =>
    [...(match?.pairs ?? [])]
      .filter(([{ kind, name }]) => kind === 'sample' && name !== 'mermaid')
      .flatMap(([old, now]): readonly RuleFinding[] => {
        const [was, is] = [linesOf(old.text), linesOf(now.text)];
        const before = newItems(is, was, plain);
        return before.length === 0
          ? []
          : [
              {
                rule: 'sample-changed',
                places: [{ file: file.path, line: now.line }],
                event: {
                  kind: 'sample-changed',
                  language: now.name,
                  before,
                  after: newItems(was, is, plain),
                },
              },
            ];
      }),
  );
}

/** Nobody runs an empty line or a comment. */
function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n|\r/u).filter((line) => !/^\s*(?:(?:#|\/\/|--)(?:\s.*)?)?$/u.test(line));
}

/** Without indentation, and without the comma that an item gets when another one follows it. */
function plain(line: string): string {
  return line.trim().replace(/,$/u, '');
}
