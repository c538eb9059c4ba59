import { shortened } from '../../text/plain.ts';
import type { Change } from '../change.ts';
import type { Site } from '../docs/site.ts';
import type { Finding } from '../old-finding.ts';
import { newItems } from './compare.ts';

const longestValue = 120;

/** Settings other than navigation and redirects, and what became unreadable. */
export function settingsChanged({ before, after }: Change): readonly Finding[] {
  // That every single one is gone too would say no more.
  const isGone = before.site.files.length > 0 && after.site.files.length === 0;
  if (isGone) {
    return changedFile(before.site, after.site);
  }
  return [
    ...newProblems(before.site, after.site),
    ...changedFile(before.site, after.site),
    ...changedKeys(before.site, after.site),
  ];
}

function newProblems(before: Site, after: Site): readonly Finding[] {
  return newItems(before.problems, after.problems, ({ file, what }) => `${file}\n${what}`).map(
    ({ file, line, what }) => ({ rule: 'settings-changed', file, line, what }),
  );
}

function changedFile(before: Site, after: Site): readonly Finding[] {
  const was = before.files[0];
  const is = after.files[0];
  return was === undefined || was === is
    ? []
    : [
        {
          rule: 'settings-changed',
          file: is ?? was,
          what: is === undefined ? 'is gone, with all settings' : `holds the settings now`,
          was,
        },
      ];
}

function changedKeys(before: Site, after: Site): readonly Finding[] {
  const keys = new Set([...before.settings.keys(), ...after.settings.keys()]);
  return [...keys].flatMap((key) => {
    const was = before.settings.get(key);
    const is = after.settings.get(key);
    if (was?.json === is?.json) {
      return [];
    }
    const what =
      is === undefined
        ? `has no "${key}" any more`
        : `${was === undefined ? 'sets' : 'changes'} "${key}" to ${shortened(is.json, longestValue)}`;
    return [
      {
        rule: 'settings-changed' as const,
        file: is?.file ?? after.files[0] ?? was?.file ?? '',
        ...(is === undefined ? {} : { line: is.line }),
        what,
        ...(was === undefined ? {} : { was: was.json }),
      },
    ];
  });
}
