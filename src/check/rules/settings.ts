import type { Change } from '../change.ts';
import { isKnown, placeInSettings } from '../docs/site.ts';
import { foundValue, type RuleFinding, unjudged } from '../finding.ts';
import { say } from '../sentence.ts';

/** What `docs.json` says apart from its navigation and its redirects. */
export function settingsChanged(change: Change): readonly RuleFinding[] {
  return [...otherSettings(change), ...unreadSettings(change)];
}

function otherSettings({ before, after }: Change): readonly RuleFinding[] {
  const keys = new Set([...before.site.settings.keys(), ...after.site.settings.keys()]);
  return [...keys].flatMap((key) => {
    const [was, is] = [before.site.settings.get(key), after.site.settings.get(key)];
    return was === is
      ? []
      : [
          foundValue(
            'settings-changed',
            placeInSettings(after.site, '', key),
            say`The setting ${key}`,
            was ?? '',
            is ?? '',
          ),
        ];
  });
}

/** Settings that could be read neither before nor after look the same, such as those that are too large. */
function unreadSettings({ files, before, after }: Change): readonly RuleFinding[] {
  return isKnown(before) || isKnown(after)
    ? []
    : files
        .filter(({ path }) => after.site.files.has(path))
        .map(({ path }) =>
          unjudged(
            { file: path },
            say`the settings can be read neither before nor after the change`,
          ),
        );
}
