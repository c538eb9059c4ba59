import { showUnseen } from '../../text/plain.ts';
import type { Change } from '../change.ts';
import {
  addressAttributes,
  attributesOf,
  elements,
  pictureClasses,
  pointedAttributes,
  required,
  shownAttributes,
} from '../docs/components.ts';
import { isMdx, kindOf } from '../docs/kinds.ts';
import { addressesIn, publisherOf } from '../docs/known.ts';
import { linksOf } from '../docs/links.ts';
import {
  type AddressKind,
  type Attribute,
  type Construct,
  type Element,
  emptyPage,
  type Page,
  textsIn,
} from '../docs/page.ts';
import { found, type Place, type RuleFinding } from '../finding.ts';
import { oncePer } from '../once-per.ts';
import { type Sentence, say } from '../sentence.ts';
import { newNameIn, ownerOf } from './commands.ts';
import { kindIn } from './page-changes.ts';

/** Where a construct stands. */
export interface PlainContext {
  readonly change: Change;
  readonly file: string;
}

/** What is not plain about it; `undefined` for nothing. */
type Problem = Sentence | undefined;

/** Nobody reads a longer text in place of a picture, or one that a pointer has to find. */
const longestAlt = 160;

/** Options of a sample, by Mintlify's documentation, of which readers see what they do. */
const sampleOptions =
  /(?:(?:title|filename)=(?:"[^"]{0,80}"|'[^']{0,80}')|icon=["']?[\w-]{0,40}["']?|(?:highlight|focus)?=?\{[\d,\s-]*\}|\[?(?:expandable|wrap|lines|noCopy)\]?)(?=\s|$)/gu;

const longestLanguage = 20;

/** A title of some words: more are a text of its own. */
const plainTitle = /^(?=[^=]{0,80}$)\S*(?:\s+\S+){0,9}$/u;

/** The finding of a problem, if there is one. */
export function foundAt(place: Place, problem: Problem): readonly RuleFinding[] {
  return problem === undefined ? [] : [found('not-plain', place, problem)];
}

/** What of a construct is on no list of what is plain; `undefined` if all of it is. */
export function problemOf(construct: Construct, context: PlainContext): Problem {
  switch (construct.kind) {
    case 'element':
      return problemOfElement(construct, context);
    case 'link':
    case 'source':
      return problemOfLink(construct, context);
    case 'sample':
      return problemOfSample(construct, context);
    case 'inline-code':
      return problemOfCommands(construct.text, '', context);
    case 'alt-text':
      return construct.text.length > longestAlt
        ? say`The alt text ${construct.text} is longer than a description.`
        : undefined;
    case 'formula':
      return say`The formula ${construct.text} can hide a text and lead elsewhere: look at what it shows.`;
    case 'import':
      return problemOfImport(construct, context);
    case 'invisible':
      return say`An invisible character stands in ${showUnseen(construct.text)}.`;
    case 'comment':
      return construct.text.trim() === '' || context.change.known.hasWord(construct.text)
        ? undefined
        : say`Readers do not see the comment ${construct.text}, and AI readers do.`;
    case 'disguised':
      return say`The words of the link ${construct.text} name another site than the one to which it leads.`;
    case 'code':
      return say`The expression ${`{${construct.text}}`} is code, whose result nobody has looked at: put it in backticks if readers should see it as it is.`;
    case 'unseen':
      return say`The text ${construct.text} stands where readers may not see it.`;
    case 'markup':
      return say`The element ${construct.text} is not on the list of plain ones.`;
  }
}

function problemOfElement(element: Element, context: PlainContext): Problem {
  const { name, attributes } = element;
  if (attributesOf(name) === undefined && !isImported(element, context)) {
    const noun = /^\p{Lu}/u.test(name) ? say`component` : say`element`;
    return say`The ${noun} ${`<${name}>`} is not on the list of plain ones.`;
  }
  const lacking = required.get(name);
  if (lacking !== undefined && !attributes.some((one) => one.name === lacking && hasText(one))) {
    return say`${`<${name}>`} has no ${[lacking]}, so Mintlify does not show it.`;
  }
  // Of two that say the same, readers see one.
  const keys = attributes.map((one) =>
    name.startsWith('Param') ? one.name.replace(/^(?:path|body|header)$/u, 'query') : one.name,
  );
  const wrong = attributes.find(
    (attribute, index) =>
      keys.indexOf(keys[index] ?? '') !== index ||
      !isPlainAttribute(element, attribute, context.change) ||
      !hasKnownAddresses(attribute, context.change),
  );
  return wrong === undefined
    ? undefined
    : say`The attribute ${`<${name} ${written(wrong)}>`} is not on the list of plain ones.`;
}

type Import = Extract<Construct, { readonly kind: 'import' }>;

function problemOfImport(written: Import, context: PlainContext): Problem {
  const { target, names } = written;
  // MDX has names of its own in the program that it makes of a page.
  const replaced = names.find(
    (name) => attributesOf(name) !== undefined || /^(?:MDX|_|props$)/u.test(name),
  );
  if (replaced !== undefined) {
    return say`The import of ${target} replaces ${`<${replaced}>`}: give it another name.`;
  }
  if (linksOf(context.change.after).resolveImport(target, context.file) === context.file) {
    return say`The page imports itself.`;
  }
  return isSnippet(written, context) ? undefined : say`The import of ${target} is new to the page.`;
}

/** Whether an element is a snippet that is given no content. */
function isImported({ name, isEmpty }: Element, context: PlainContext): boolean {
  const page = context.change.after.pages.get(context.file) ?? emptyPage;
  const source = importsOf(page).get(name);
  return source !== undefined && isEmpty && isSnippet(source, context);
}

/** What a page imports, by the names in its own code. */
const importsOf = oncePer(({ constructs }: Page): ReadonlyMap<string, Import> => {
  const imports = constructs.filter((one) => one.kind === 'import');
  return new Map(imports.flatMap((one) => one.names.map((name) => [name, one])));
});

/** Whether what is imported is all that a snippet shows. */
function isSnippet({ target, isDefault }: Import, { change, file }: PlainContext): boolean {
  const { site } = change.after;
  const found = linksOf(change.after).resolveImport(target, file);
  const isRead = found !== undefined && isMdx(found, site);
  return isDefault && isRead && kindOf(found, site) !== 'other';
}

function hasText({ value }: Attribute): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

/** As it stands on the page, but for the kind of quotes. */
function written({ name, value, code }: Attribute): string {
  const shown =
    typeof value === 'string' ? JSON.stringify(value) : `{${code || JSON.stringify(value)}}`;
  return [name, shown].filter((part) => part !== '' && part !== '{true}').join('=');
}

/** Whether the addresses in the text of an attribute are known; one that is an address is a construct of its own. */
function hasKnownAddresses({ name, value = null }: Attribute, { known }: Change): boolean {
  const texts = addressAttributes.has(name) ? [] : textsIn(value);
  return texts.flatMap(addressesIn).every((address) => known.hasAddress(address));
}

function isPlainAttribute(element: Element, attribute: Attribute, { known }: Change): boolean {
  const { name, value } = attribute;
  const isHtml = elements.has(element.name);
  if (name === 'className') {
    return /^(?:img|video)$/u.test(element.name) && pictureClasses.test(String(value));
  }
  const allowed = attributesOf(element.name);
  if (allowed === undefined) {
    // A snippet can hide it, or make a command of it.
    const isName = /^(?!on[A-Z]|hidden$)[a-zA-Z]\w*$/u.test(name);
    const isText = value !== undefined && typeof value !== 'object';
    const text = String(value);
    return isName && isText && plainName.test(text) && known.hasWord(ownerOf(text));
  }
  return (
    allowed.has(name) &&
    value !== undefined &&
    isFlat(attribute) &&
    // A call to action is not shown if it leads nowhere.
    (name !== 'cta' || element.attributes.some((one) => one.name === 'href')) &&
    textsIn(value).every((text) => isPlainText(name, text, isHtml))
  );
}

/** A text or a number; of some attributes a list of them, and of an entry of the feed its title and description. */
function isFlat({ name, value = null }: Attribute): boolean {
  const isList = /^(?:tags|enum|pre|post)$/u.test(name);
  if (typeof value !== 'object' || value === null) {
    return !isList;
  }
  const isKey = (key: string) => (isList ? /^\d+$/u : /^(?:title|description)$/u).test(key);
  return (
    (isList ? Array.isArray(value) : name === 'rss') &&
    Object.entries(value).every(([key, one]) => typeof one !== 'object' && isKey(key))
  );
}

/** Readers see some texts as they are, and links in captions; what is in the others is a name, a number or an address. */
function isPlainText(name: string, text: string, isHtml: boolean): boolean {
  if (name === 'alt' || addressAttributes.has(name)) {
    return true;
  }
  if (isHtml || !(shownAttributes.has(name) || pointedAttributes.has(name))) {
    return (isHtml ? /^\S*$/u : plainName).test(text) && text.length <= longestName;
  }
  const isSeen =
    shownAttributes.has(name) ||
    text.length <= (/^(?:default|enum)$/u.test(name) ? 50 : longestAlt);
  return isSeen && text.trim() !== '' && !/\][([:]|<a\b|\bwww\./iu.test(text);
}

/** At most three words: no sentence. */
const plainName = /^(?=[^\p{Cc}\\]{0,80}$)\S*(?:\s\S+){0,2}$/u;

/** Longer names of anchors and icons are texts of their own. */
const longestName = 40;

type Address = Extract<Construct, { readonly kind: AddressKind }>;

function problemOfLink({ kind, target }: Address, context: PlainContext): Problem {
  if (target === '' || target === '#') {
    return say`A link leads nowhere: write where it leads.`;
  }
  const ambiguous = say`The link to ${target} is not one that every parser reads alike.`;
  if (!/^(?:[a-z][a-z\d+.-]*:|\/\/)/iu.test(target)) {
    // Links to nowhere are findings of another rule.
    const isPlain = !/^\s|[\p{Cc}\\]/u.test(target);
    return isPlain && saysLittle(target, context) ? undefined : ambiguous;
  }
  const address = target.replace(mail, 'https://$1/');
  if (!isPlainAddress(address)) {
    return isPlainAddress(address.replace(/^http:/iu, 'https:'))
      ? say`The link to ${target} is not encrypted: use https.`
      : ambiguous;
  }
  return isKnownLink(kind, target, context) ? undefined : say`No page linked to ${target} before.`;
}

function isKnownLink(kind: AddressKind, target: string, context: PlainContext): boolean {
  const { known } = context.change;
  const address = target.replace(mail, 'https://$1/');
  if (kind === 'link' && !saysLittle(target, context)) {
    return false;
  }
  return (
    known.hasAddress(address) || (kind === 'link' && isNewPage(context) && sitePage.test(target))
  );
}

/** A query or a fragment can say what to install, or where to go on, unless it consists of short words or stood there before. */
function saysLittle(target: string, { change: { known } }: PlainContext): boolean {
  const isShort = /^[^?#]*(?:\?(?:[\w.-]{1,24}=[\w-]{0,24}(?:&|(?=#|$)))*)?(?:#[^:/?\s]{0,80})?$/u;
  return isShort.test(target) || known.hasWord(target);
}

/** A message to somebody, with nobody else among its recipients. */
const mail = /^mailto:[\w.+-]+@([\w.-]+)$/iu;

/** Nobody relies on a new page yet, and nothing merges one unread: its text may lead to hosts and owners that are new to the docs. */
function isNewPage({ change: { files, after }, file }: PlainContext): boolean {
  const isNew = files.some(({ path, status }) => path === file && status === 'added');
  return isNew && kindIn(after, file) === 'page';
}

/** Without a port, a query or a file to download, and with a name that reads as it is written. */
const sitePage =
  /^https:\/\/(?!(?:\S*\.)?xn--)(?:[a-z\d-]+\.)+[a-z]{2,}(?:\/(?:[\w.~-]+\/)*(?:[\w~-]*|[\w.~-]+\.html?))?(?:#[\w.~-]*)?$/iu;

/** Whether an address means the same to a parser of URLs as to its readers; http only where nobody publishes. */
function isPlainAddress(address: string): boolean {
  return (
    /^https?:\/\/(?:[\w.{}$-]+|\[[\da-f:]+\])(?::\d+)?(?:[/?#][^\s\\\p{C}]*)?$/iu.test(address) &&
    URL.canParse(address) &&
    (/^https:/iu.test(address) || publisherOf(address) === undefined)
  );
}

type Sample = Extract<Construct, { readonly kind: 'sample' }>;

function problemOfSample({ language, meta, text }: Sample, context: PlainContext): Problem {
  const firstLine = `${language} ${meta}`.trim();
  const title = meta.replace(sampleOptions, '').trim();
  // Words that are no option are the title, unless an option is. Twoslash hides lines.
  const isUnseen = title !== '' && /(?:title|filename)=|\btwoslash\b/u.test(meta);
  if (
    isUnseen ||
    !plainTitle.test(title) ||
    firstLine.length > longestAlt ||
    language.length > longestLanguage
  ) {
    return say`A sample has ${firstLine} in its first line, which is more than its language and options.`;
  }
  if (farRight.test(text)) {
    return say`A new sample has text far to the right, where few readers see it.`;
  }
  if (/^(?:mermaid|math)$/iu.test(language)) {
    return say`A diagram or a formula can hide a text and lead elsewhere: look at what it draws.`;
  }
  // Anywhere but in a Dockerfile, `FROM users` is SQL.
  const image = /^docker/iu.test(language)
    ? /^[ \t]*FROM (?:--\S+ )?(\S+)/gimu
    : /^[ \t]*FROM (\S*[:/]\S*)/gmu;
  return problemOfCommands(
    `${firstLine}\n${text.replace(image, 'docker pull $1\n')}`,
    language,
    context,
  );
}

/** Nobody scrolls as far to the right as that. */
const farRight = /(?:[^\S\r\n]{50}|\t{12})\S/u;

/** What code fetches or runs has to be known. */
function problemOfCommands(
  text: string,
  language: string,
  { change: { known } }: PlainContext,
): Problem {
  const name = newNameIn(text, language, known);
  return name === undefined
    ? undefined
    : say`New code names ${name}, which the docs did not name before.`;
}
