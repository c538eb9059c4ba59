import type { Change, ChangedFile } from '../change.ts';
import { decidesOnWorkflows, type FileKind, isAllowed, isInside } from '../docs/kinds.ts';
import { found, type RuleFinding } from '../finding.ts';
import { type Sentence, say, unquoted } from '../sentence.ts';
import { describesApi } from './api.ts';
import { kindIn, pathBefore } from './page-changes.ts';

/** Changed files that docs do not usually consist of. */
export function otherFile(change: Change): readonly RuleFinding[] {
  return change.files.flatMap((file) => {
    const what = entryProblem(file, change) ?? pathProblem(file, change);
    return what === undefined ? [] : found('other-file', { file: file.path }, what);
  });
}

const docsKinds: readonly FileKind[] = ['page', 'snippet', 'picture', 'navigation'];

/** Why a file does not belong to docs, by its path; `undefined` if it does. */
function pathProblem(file: ChangedFile, change: Change): Sentence | undefined {
  const { before, after, allowedPaths } = change;
  const { path, status } = file;
  const sides = [
    ...(status === 'added' ? [] : [{ at: pathBefore(file), version: before }]),
    ...(status === 'deleted' ? [] : [{ at: path, version: after }]),
  ];
  const kinds: readonly FileKind[] = [
    ...docsKinds,
    // A docs pull request may change a companion, but not add or delete one.
    ...(status === 'modified' ? (['companion'] as const) : []),
    // A change of a description is a finding of another rule.
    ...(describesApi(file, change) ? (['data'] as const) : []),
  ];
  const odd = sides.find(
    ({ at, version }) => !kinds.includes(kindIn(version, at)) && !isAllowed(at, allowedPaths),
  );
  if (odd === undefined) {
    return undefined;
  }
  if (decidesOnWorkflows(odd.at)) {
    return say`The file lies in .github, where it can decide what workflows do: take it out of this pull request, or review it with care, because input allowed-paths cannot allow it.`;
  }
  return isInside(odd.version.site.root, odd.at)
    ? say`The check does not judge a file of this kind: look at it, or allow it by input allowed-paths.`
    : say`The file lies outside of the docs: input allowed-paths can allow it.`;
}

/** A link or a program can stand behind the name of a page. */
function entryProblem(file: ChangedFile, { before, after }: Change): Sentence | undefined {
  const is = after.tree.get(file.path)?.kind ?? 'file';
  const was = before.tree.get(pathBefore(file))?.kind;
  // Some file systems make every file executable.
  return is === 'file' || (is === 'executable' && was === is)
    ? undefined
    : say`The file is ${unquoted(is === 'executable' ? 'executable now' : `a ${is}`)}, which can be more than a page.`;
}
