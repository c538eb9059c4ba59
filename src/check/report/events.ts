import { counted } from '../../text/plain.ts';
import type {
  ApiChanged,
  BrokenLink,
  DeadAddress,
  Event,
  FactChanged,
  NavigationChanged,
  NotPlain,
  NotPlainKind,
  NotValid,
  Removed,
  RemovedKind,
  SampleChanged,
  SettingsChanged,
} from '../finding.ts';
import { clause, type Sentence, say } from './sentence.ts';

/** An event in words. */
export interface Description {
  /** A whole sentence, with what to do where that is not plain from the sentence. */
  readonly sentence: Sentence;
  /** What stood there before and stands there now, one or several lines; left out where the sentence says it. */
  readonly before?: string;
  readonly after?: string;
}

/** Describes an event. Only this module words what the check finds. */
export function describeEvent(event: Event): Description {
  switch (event.kind) {
    case 'unparsable':
    case 'unknown-component':
    case 'undefined-name':
    case 'leftover':
      return { sentence: notValid(event) };
    case 'dead-address':
    case 'bad-redirect':
      return { sentence: deadAddress(event) };
    case 'broken-link':
      return { sentence: brokenLink(event) };
    case 'removed':
    case 'shrunk':
      return removed(event);
    case 'fact-changed':
      return factChanged(event);
    case 'sample-changed':
      return sampleChanged(event);
    case 'api-changed':
      return apiChanged(event);
    case 'navigation-changed':
      return navigationChanged(event);
    case 'setting-changed':
    case 'redirect':
      return settingsChanged(event);
    case 'not-plain':
      return notPlain(event);
    case 'not-judged':
      return { sentence: say`A part could not be judged: ${clause(event.problem)}.` };
  }
}

function notValid(event: NotValid): Sentence {
  switch (event.kind) {
    case 'unparsable':
      return say`The file cannot be read: it ${clause(event.problem)}.`;
    case 'unknown-component':
      return say`Nothing defines the component ${`<${event.name}>`}, so Mintlify drops it and what stands in it: import it, or use a component of Mintlify's.`;
    case 'undefined-name':
      return say`Nothing declares ${`{${event.name}}`}, so Mintlify drops it: write ${`\\{${event.name}\\}`} if readers should see it.`;
    case 'leftover':
      return leftovers[event.what](event.text);
  }
}

const leftovers = {
  'conflict-marker': (text: string) =>
    say`An unfinished merge left ${text} in the file: resolve the conflict.`,
  placeholder: (text: string) =>
    say`The placeholder ${text} stands where text belongs: write the text.`,
  'fenced-page': () =>
    say`The whole page stands in one code block, so readers see its source: remove the fence.`,
} as const;

function deadAddress(event: DeadAddress): Sentence {
  if (event.kind === 'bad-redirect') {
    return badRedirects[event.problem](event.source, event.destination);
  }
  const { address, cause, destination } = event;
  switch (cause) {
    case 'deleted':
      return say`${address} is gone and leads nowhere: add a redirect to the page that replaces it.`;
    case 'moved':
      return destination === undefined
        ? say`The page at ${address} moved, and the old address leads nowhere: add a redirect.`
        : say`${address} moved to ${destination}, and the old address leads nowhere: add a redirect.`;
    case 'redirect-removed':
      return destination === undefined
        ? say`The redirect from ${address} is gone, so the address leads nowhere: put it back.`
        : say`The redirect from ${address} to ${destination} is gone, so the address leads nowhere: put it back.`;
  }
}

const badRedirects = {
  loop: (source: string, destination: string) =>
    say`The redirect from ${source} to ${destination} comes back to where it began: redirect to a page.`,
  'leads-nowhere': (source: string, destination: string) =>
    say`The redirect from ${source} leads to ${destination}, where there is no page: redirect to a page.`,
  'hides-page': (source: string, destination: string) =>
    say`The redirect from ${source} to ${destination} hides the page at ${source}: remove one of them.`,
} as const;

function brokenLink({ what, target, isUnchanged }: BrokenLink): Sentence {
  const sentence = brokenLinks[what](target);
  return isUnchanged
    ? say`${sentence} This pull request took away what the file, itself unchanged, uses.`
    : sentence;
}

const brokenLinks = {
  link: (target: string) => say`The link to ${target} leads nowhere: correct it, or add the page.`,
  anchor: (target: string) =>
    say`The link to ${target} leads to a page that has no such section: correct the anchor.`,
  import: (target: string) => say`The import of ${target} finds no file.`,
  picture: (target: string) => say`The picture ${target} does not exist.`,
  'navigation-entry': (target: string) =>
    say`The navigation names ${target}, and there is no such page.`,
  'api-file': (target: string) =>
    say`The settings name the API description ${target}, and there is no such file.`,
} as const satisfies Record<BrokenLink['what'], (target: string) => Sentence>;

function removed(event: Removed): Description {
  if (event.kind === 'shrunk') {
    const { wordsBefore, wordsAfter } = event;
    return { sentence: say`The page has ${wordsAfter} words now, and had ${wordsBefore} before.` };
  }
  const { what, text, section, replacement, others = 0 } = event;
  if (what === 'page') {
    return { sentence: removedPage(event) };
  }
  const isNamed = named.has(what) && text.length <= maxNameLength;
  const thing = isNamed ? say`The ${clause(nouns[what])} ${text}` : say`A ${clause(nouns[what])}`;
  const rest = others === 0 ? say`` : say`, with ${clause(counted(others, 'more thing'))} in it,`;
  const from = section === '' || section === text ? say`` : say` from the section ${section}`;
  const sentence =
    replacement === undefined
      ? say`${thing}${rest} is gone${from}.`
      : say`${thing}${rest} was replaced${section === '' ? say`` : say` in the section ${section}`}.`;
  return {
    sentence,
    ...(!isNamed && text !== '' && { before: text }),
    ...(replacement !== undefined && { after: replacement }),
  };
}

function removedPage({
  text,
  address,
  destination,
}: Extract<Removed, { kind: 'removed' }>): Sentence {
  if (address === undefined) {
    return say`The page ${text} is gone.`;
  }
  return destination === undefined
    ? say`The page ${text} at ${address} is gone.`
    : say`The page ${text} is gone, and ${address} redirects to ${destination} now.`;
}

/** A longer name is shown like a text. */
const maxNameLength = 80;

const named: ReadonlySet<RemovedKind> = new Set(['section', 'picture', 'parameter', 'tab']);

const nouns = {
  page: 'page',
  section: 'section',
  callout: 'callout',
  sample: 'sample',
  picture: 'picture',
  table: 'table',
  row: 'row of a table',
  column: 'column of a table',
  parameter: 'parameter',
  tab: 'tab',
  'list-item': 'list item',
  paragraph: 'paragraph',
  step: 'step',
  accordion: 'accordion',
  card: 'card',
} as const satisfies Record<RemovedKind, string>;

function factChanged({ what, before, after }: FactChanged): Description {
  const isLostLink = what === 'link' && after === '';
  return { sentence: isLostLink ? say`A link is gone.` : facts[what], before, after };
}

const facts = {
  number: say`A number in a sentence changed or went.`,
  negation: say`A “not” or another negation in a sentence was added, changed or removed.`,
  obligation: say`A “must”, “only” or “required” in a sentence was added, changed or removed.`,
  link: say`A link leads to another place.`,
} as const;

function sampleChanged({ language, before, after }: SampleChanged): Description {
  const sample = language === '' ? say`a sample` : say`a ${language} sample`;
  const lines = before.length === 1 ? say`A line` : say`${before.length} lines`;
  return {
    sentence:
      after.length === 0
        ? say`${lines} of ${sample} ${before.length === 1 ? say`is` : say`are`} gone.`
        : say`${lines} of ${sample} changed.`,
    before: before.join('\n'),
    after: after.join('\n'),
  };
}

function apiChanged({ operation, what, name, before, after }: ApiChanged): Description {
  const thing = name === '' ? say`The ${clause(what)}` : say`The ${clause(what)} ${name}`;
  const subject = operation === '' ? thing : say`${thing} of ${operation}`;
  return { sentence: say`${subject} ${whatBecame(before, after)}.`, ...versions(before, after) };
}

function navigationChanged({ what, entry, before, after }: NavigationChanged): Description {
  const sentences = {
    removed: say`${entry} is gone from the navigation.`,
    moved: say`${entry} has another place in the navigation.`,
    'first-page': say`The site opens with ${entry} now.`,
    group: say`The group ${entry} has other settings.`,
  } as const;
  return { sentence: sentences[what], ...versions(before, after) };
}

function settingsChanged(event: SettingsChanged): Description {
  if (event.kind === 'redirect') {
    return { sentence: redirects[event.problem](event.source, event.destination) };
  }
  const { key, before, after } = event;
  return {
    sentence: say`The setting ${key} ${whatBecame(before, after)}.`,
    ...versions(before, after),
  };
}

const redirects = {
  'from-root': (_source: string, destination: string) =>
    say`Readers of the front page get to ${destination} now.`,
  'from-file': (source: string, destination: string) =>
    say`Readers of the file ${source} get to ${destination} now.`,
  'to-other-host': (source: string, destination: string) =>
    say`Readers of ${source} get to another site now, ${destination}.`,
  'not-moved': (source: string, destination: string) =>
    say`${source} redirects to ${destination} now, and no page of this pull request moved there.`,
  changed: (source: string, destination: string) =>
    say`${source} redirects to ${destination} now, and led to another place before.`,
} as const;

/** The end of a sentence about something that has a value or none. */
function whatBecame(before: string, after: string): Sentence {
  if (before === '' && after !== '') {
    return say`is new`;
  }
  return before !== '' && after === '' ? say`is gone` : say`changed`;
}

/** Both versions where there is something to show. */
function versions(before: string, after: string): Pick<Description, 'before' | 'after'> {
  return { ...(before !== '' && { before }), ...(after !== '' && { after }) };
}

function notPlain({ what, text, before }: NotPlain): Description {
  return { sentence: plainReasons[what](text), ...(before !== undefined && { before }) };
}

const plainReasons = {
  file: fileReason,
  'file-mode': (text) => say`The file became ${clause(fileModes.get(text) ?? text)}.`,
  'front-matter': (text) =>
    say`The front matter's ${text} decides more than how the page is called.`,
  component: (text) => say`The component ${text} is not on the list of plain ones.`,
  attribute: (text) => say`The attribute ${text} is not on the list of plain ones.`,
  element: (text) => say`The element ${text} is not on the list of plain ones.`,
  expression: (text) => say`The expression ${text} is more than a literal value.`,
  import: (text) => say`The import of ${text} is new to the page.`,
  link: (text) => say`The link to ${text} is not one that every parser reads alike.`,
  host: (text) => say`No page linked to ${text} before.`,
  sample: (text) => say`A new sample names ${text}, which the docs did not name before.`,
  diagram: (text) => say`A diagram contains ${text}, which can do more than draw.`,
  comment: (text) => say`Readers do not see the comment ${text}, and AI readers do.`,
  'link-title': (text) => say`Few readers see the link title ${text}, and AI readers do.`,
  'alt-text': (text) => say`The alt text ${text} is longer than a description.`,
  'invisible-character': (text) => say`An invisible character stands in ${text}.`,
  'hidden-page': () => say`The page is hidden, so that few readers see what changes.`,
  'navigation-entry': (text) =>
    say`The new entry ${text} of the navigation is no page of the docs.`,
  'api-text': (text) => say`A text of the API description contains ${text}.`,
  'page-not-in-navigation': () => say`The navigation does not name the new page.`,
} as const satisfies Record<NotPlainKind, (text: string) => Sentence>;

const fileModes: ReadonlyMap<string, string> = new Map([
  ['executable', 'executable'],
  ['symlink', 'a link to another file'],
  ['submodule', 'a submodule'],
]);

/** @param kind a kind of file that is not plain, or the path of another file after `same-address` */
function fileReason(kind: string): Sentence {
  const [, other] = /^same-address (.+)$/su.exec(kind) ?? [];
  return other === undefined
    ? (fileReasons.get(kind) ?? say`The file is none that docs usually consist of.`)
    : say`The page has the same address as ${other}.`;
}

const fileReasons: ReadonlyMap<string, Sentence> = new Map([
  ['runs', say`The file can run on the site, in CI or on a computer.`],
  ['for-agents', say`AI agents take the file for instructions.`],
  ['media', say`A file of this kind can contain more than a picture.`],
  ['readme', say`The file is for readers of the repository, not of the site.`],
  ['outside', say`The file lies outside of the docs.`],
  ['second-site', say`The file describes a second site.`],
]);
