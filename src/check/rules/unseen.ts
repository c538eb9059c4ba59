import type { Change } from '../change.ts';
import { type Unseen, unseenCharactersIn } from '../docs/page.ts';
import { found, type RuleFinding } from '../finding.ts';
import { say } from '../sentence.ts';
import { isShown, newItems, pageChangesOf } from './page-changes.ts';

/** What is new in a page or in the settings, and readers do not see. */
export function unseen(change: Change): readonly RuleFinding[] {
  const { before, after } = change;
  const pages = pageChangesOf(change)
    .filter(({ file, before: old }) => isShown(after, file.path) && old?.problem === undefined)
    .flatMap(({ file, before: old, after: now }) =>
      newIn(file.path, old?.unseen ?? [], now?.unseen ?? []),
    );
  const settings = [...after.site.files].flatMap(([file, text]) =>
    newIn(file, unseenCharactersIn(before.site.files.get(file) ?? ''), unseenCharactersIn(text)),
  );
  return [...pages, ...settings];
}

const sentences = {
  comment: say`A comment is new, which readers do not see: delete it, unless authors need it.`,
  script: say`JavaScript is new, of which readers do not see what it does: look at it.`,
  character: say`Characters are new that nobody sees, or that turn the order of others: delete them.`,
} as const satisfies Record<Unseen['kind'], unknown>;

/** One finding for each kind. */
function newIn(file: string, old: readonly Unseen[], now: readonly Unseen[]) {
  const added = newItems(old, now, ({ kind, text }) => `${kind} ${text}`);
  return [...Map.groupBy(added, ({ kind }) => kind)].map(([kind, all]): RuleFinding => {
    const after = all.map(({ text }) => text).join('\n');
    return found('unseen', { file, line: all[0]?.line }, sentences[kind], { after });
  });
}
