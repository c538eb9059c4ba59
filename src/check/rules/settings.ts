import type { Change } from '../change.ts';
import { placeInSettings } from '../docs/site.ts';
import { foundValue, type RuleFinding } from '../finding.ts';
import { say } from '../sentence.ts';
import { redirectFindings } from './addresses.ts';

/** What `docs.json` says apart from its navigation, and redirects that are no plain ones. */
export function settingsChanged(change: Change): readonly RuleFinding[] {
  const redirects = redirectFindings(change).filter(({ rule }) => rule === 'settings-changed');
  return [...otherSettings(change), ...redirects];
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
