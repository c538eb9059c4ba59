import type { Change } from '../change.ts';
import {
  defaultSeverities,
  type Finding,
  type JudgedFinding,
  type RuleName,
  type RuleSettings,
} from '../old-finding.ts';
import { brokenAnchor } from './anchors.ts';
import { apiChanged } from './api-changed.ts';
import { baseBranch } from './base-branch.ts';
import { codeInPage } from './code-in-page.ts';
import { failingCheck } from './failing-check.ts';
import { textForAgents } from './for-agents.ts';
import { frontMatterChanged } from './front-matter.ts';
import { largeChange } from './large-change.ts';
import { agentChatter, conflictMarker } from './leftovers.ts';
import { brokenLink, stillUsed } from './links.ts';
import { navigationWithoutPage, pageNotInNavigation } from './navigation.ts';
import { navigationChanged } from './navigation-changed.ts';
import { newDomain } from './new-domain.ts';
import { pageWithoutRedirect } from './page-without-redirect.ts';
import { providerKey } from './provider-key.ts';
import { redirectFromTarget } from './redirect-changed.ts';
import { redirectFromPage, redirectToNowhere, redirectToOtherHost } from './redirects.ts';
import { revertedLines } from './reverted-lines.ts';
import { sampleChanged } from './samples.ts';
import { settingsChanged } from './settings.ts';
import { textLost } from './text-lost.ts';
import { undefinedName } from './undefined-name.ts';
import { unexpectedFile } from './unexpected-file.ts';

type Rule = (change: Change) => readonly Finding[];

const rules = {
  'unexpected-file': unexpectedFile,
  'code-in-page': codeInPage,
  'undefined-name': undefinedName,
  'page-without-redirect': pageWithoutRedirect,
  'page-not-in-navigation': pageNotInNavigation,
  'navigation-without-page': navigationWithoutPage,
  'still-used': stillUsed,
  'navigation-changed': (change) => [
    ...navigationChanged(change),
    ...redirectFromPage(change),
    ...redirectFromTarget(change),
  ],
  'redirect-to-other-host': redirectToOtherHost,
  'settings-changed': settingsChanged,
  'broken-link': (change) => [...brokenLink(change), ...redirectToNowhere(change)],
  'broken-anchor': brokenAnchor,
  'new-domain': newDomain,
  'text-lost': textLost,
  'large-change': largeChange,
  'sample-changed': sampleChanged,
  'api-changed': apiChanged,
  'front-matter-changed': frontMatterChanged,
  'text-for-agents': textForAgents,
  'reverted-lines': revertedLines,
  'conflict-marker': conflictMarker,
  'agent-chatter': agentChatter,
  'provider-key': providerKey,
  'failing-check': failingCheck,
  'base-branch': baseBranch,
} as const satisfies Record<RuleName, Rule>;

/** Applies a rule, as it is or with limits. */
type Apply = (name: RuleName, rule: () => readonly Finding[]) => readonly Finding[];

/**
 * Judges a change by all rules that are not off.
 * @returns what blocks first, then by file and line; the order of the change's files does not matter
 */
export function judge(
  change: Change,
  settings: RuleSettings,
  apply: Apply = (_name, rule) => rule(),
): readonly JudgedFinding[] {
  return Object.entries(rules)
    .flatMap(([name, rule]): readonly JudgedFinding[] => {
      if (!isRule(name)) {
        return [];
      }
      const severity = settings.get(name) ?? defaultSeverities[name];
      return severity === 'off'
        ? []
        : apply(name, () => rule(change)).map((finding) => ({ ...finding, severity }));
    })
    .sort(inOrder);
}

function isRule(name: string): name is RuleName {
  return Object.hasOwn(defaultSeverities, name);
}

function inOrder(one: JudgedFinding, other: JudgedFinding): number {
  return (
    compare(one.severity, other.severity) ||
    compare(one.file, other.file) ||
    (one.line ?? 0) - (other.line ?? 0) ||
    compare(one.rule, other.rule) ||
    compare(one.what, other.what) ||
    compare(one.was ?? '', other.was ?? '')
  );
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
