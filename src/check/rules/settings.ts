import type { Change } from '../change.ts';
import { isKnown, placeInSettings } from '../docs/site.ts';
import { foundValue, type RuleFinding, unjudged } from '../finding.ts';
import { say } from '../sentence.ts';

/** What `docs.json` says apart from its navigation and its redirects. */
export function settingsChanged({ files, before, after }: Change): readonly RuleFinding[] {
  const [old, now] = [before.site.settings, after.site.settings];
  const changed = [...new Set([...old.keys(), ...now.keys()])]
    .filter((key) => old.get(key) !== now.get(key))
    .map((key) => {
      const place = placeInSettings(after.site, key);
      const [was = '', is = ''] = [old.get(key), now.get(key)];
      return foundValue('settings-changed', place, say`The setting ${key}`, was, is);
    });
  // Settings that could be read neither before nor after look the same, such as those that are too large.
  const isUnread = !isKnown(before) && !isKnown(after);
  const problem = say`the settings can be read neither before nor after the change`;
  const unread = files
    .filter(({ path }) => isUnread && after.site.files.has(path))
    .map(({ path }) => unjudged({ file: path }, problem));
  return [...changed, ...unread];
}
