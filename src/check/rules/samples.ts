import type { Change } from '../change.ts';
import { found, type RuleFinding } from '../finding.ts';
import { type Sentence, say } from '../sentence.ts';
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
        const after = newItems(was, is, plain);
        return before.length === 0
          ? []
          : [
              found(
                'sample-changed',
                { file: file.path, line: now.line },
                whatBecame(now.name, before.length, after.length),
                { before: before.join('\n'), after: after.join('\n') },
              ),
            ];
      }),
  );
}

/** @param language the word after the fence; empty for none */
function whatBecame(language: string, gone: number, added: number): Sentence {
  const sample = language === '' ? say`a sample` : say`a ${language} sample`;
  const lines = gone === 1 ? say`A line` : say`${gone} lines`;
  if (added > 0) {
    return say`${lines} of ${sample} changed.`;
  }
  return gone === 1 ? say`${lines} of ${sample} is gone.` : say`${lines} of ${sample} are gone.`;
}

/** Nobody runs an empty line or a comment. */
function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n|\r/u).filter((line) => !/^\s*(?:(?:#|\/\/|--)(?:\s.*)?)?$/u.test(line));
}

/** Without indentation, and without the comma that an item gets when another one follows it. */
function plain(line: string): string {
  return line.trim().replace(/,$/u, '');
}
