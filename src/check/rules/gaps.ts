import type { Change } from '../change.ts';
import type { Gap } from '../finding.ts';
import { changedPages } from './compare.ts';

/** What the rules could not judge: pages that cannot be parsed now, and a site that cannot be read. */
export function gapsOf(change: Change): readonly Gap[] {
  const { site } = change.after;
  const unreadable = site.pages.length === 0 ? site.problems : [];
  return [
    ...changedPages(change).flatMap(({ file, after }) =>
      after?.problem === undefined
        ? []
        : [{ file: file.path, what: `the page ${clause(after.problem)}` }],
    ),
    ...unreadable.map(({ file, line, what }) => ({
      file,
      what: `the navigation cannot be read: the file ${what} (line ${line})`,
    })),
  ];
}

function clause({ what, line }: { what: string; line: number | undefined }): string {
  return line === undefined ? what : `${what} (line ${line})`;
}
