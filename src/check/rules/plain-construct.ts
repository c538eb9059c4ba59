import { posix } from 'node:path';
import type { DocsVersion } from '../change.ts';
import {
  addressAttributes,
  components,
  elements,
  plainAttributes,
  plainClass,
  plainStyle,
  shownAttributes,
  styledElements,
} from '../docs/components.ts';
import { isPagePath } from '../docs/kinds.ts';
import { addressesIn, type Known, publisherOf } from '../docs/known.ts';
import { linksOf } from '../docs/links.ts';
import { type Attribute, type Construct, type Element, textsIn } from '../docs/page.ts';
import { type Sentence, say } from '../sentence.ts';

/** What decides whether a construct is plain. */
export interface PlainContext {
  readonly after: DocsVersion;
  readonly known: Known;
  /** The file as it was; empty for a new one. */
  readonly before: string;
  /** The file that it stands in. */
  readonly file: string;
  /** The components that its page imports, by their names: paths as they are written. */
  readonly imported: ReadonlyMap<string, string>;
}

/** What is not plain about it; `undefined` for nothing. */
type Problem = Sentence | undefined;

/** Nobody reads a longer text in place of a picture. */
const longestAlt = 160;

/** Longer ones are no names of files or languages. */
const longestMeta = 80;

/** A formula with more words is a text that is set as one. */
const maxFormulaWords = 6;

/** Commands of formulas that show what stands in them. */
const formulaCommands = new Set(
  'frac dfrac tfrac sqrt sum prod int lim log ln exp sin cos tan min max sup inf arg det gcd cdot cdots ldots dots times div pm mp le leq ge geq ne neq approx equiv sim propto in notin subset subseteq cup cap forall exists neg land lor to rightarrow Rightarrow leftarrow leftrightarrow mapsto infty partial nabla left right big Big bigl bigr quad qquad text textbf textit mathbf mathbb mathcal mathrm mathit operatorname vec hat bar tilde overline underline begin end alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega lfloor rfloor lceil rceil langle rangle mid parallel perp circ star ast oplus otimes prime degree'.split(
    ' ',
  ),
);

/** What of a construct is on no list of what is plain; `undefined` if all of it is. */
export function problemOf(construct: Construct, context: PlainContext): Problem {
  switch (construct.kind) {
    case 'element':
      return problemOfElement(construct, context);
    case 'link':
      return problemOfLink(construct.target, context);
    case 'sample':
      return problemOfSample(construct, context);
    case 'inline-code':
      return problemOfCommands(construct.text, context);
    case 'alt-text':
      return construct.text.length > longestAlt
        ? say`The alt text ${construct.text} is longer than a description.`
        : undefined;
    case 'formula':
      return isPlainFormula(construct.text)
        ? undefined
        : say`The formula ${construct.text} has more in it than plain commands.`;
    case 'import':
      return isSnippet(construct.text, context) || isUsed(construct.text, context)
        ? undefined
        : say`The import of ${construct.text} is new to the page.`;
    case 'invisible':
      return say`An invisible character stands in ${construct.text}.`;
    case 'comment':
      return construct.text.trim() === '' || context.known.hasWord(construct.text)
        ? undefined
        : say`Readers do not see the comment ${construct.text}, and AI readers do.`;
    case 'link-title':
      return say`Few readers see the link title ${construct.text}, and AI readers do.`;
    case 'code':
      return say`The expression ${construct.text} is more than a literal value.`;
    case 'html':
      return problemOfHtml(construct.text);
  }
}

function isPlainFormula(text: string): boolean {
  const words = text.match(/(?<![\\\p{L}])\p{L}{3,}/gu) ?? [];
  const commands = [...text.matchAll(/\\([a-zA-Z]+)/gu)].map(([, name = '']) => name);
  return (
    words.length <= maxFormulaWords &&
    !/(?<!\\)%/u.test(text) &&
    commands.every((name) => formulaCommands.has(name))
  );
}

/** Raw HTML stands in files for GitHub alone, which shows no more of it than of the same element in a page. */
function problemOfHtml(text: string): Problem {
  const names = [...text.matchAll(/<\/?([a-z][\w-]*)/giu)].map(([, name = '']) =>
    name.toLowerCase(),
  );
  const isPlain = !text.includes('<!') && names.every((name) => elements.has(name));
  return isPlain ? undefined : say`The element ${text} is not on the list of plain ones.`;
}

function isSnippet(source: string, { after, file }: PlainContext): boolean {
  const found = linksOf(after).resolveImport(source, file);
  return found !== undefined && isPagePath(found);
}

/** Whether pages import a file of the docs already; a change of the file itself is looked at. */
function isUsed(source: string, { known }: PlainContext): boolean {
  return source.startsWith('/') && (known.hasWord(`'${source}'`) || known.hasWord(`"${source}"`));
}

function problemOfElement({ name, attributes }: Element, context: PlainContext): Problem {
  const allowed = components.get(name) ?? elements.get(name);
  const source = context.imported.get(name.split('.')[0] ?? '');
  if (source !== undefined && attributes.length === 0 && isUsed(source, context)) {
    return undefined;
  }
  if (allowed === undefined && (source === undefined || !isSnippet(source, context))) {
    return /^\p{Lu}/u.test(name)
      ? say`The component ${`<${name}>`} is not on the list of plain ones.`
      : say`The element ${`<${name}>`} is not on the list of plain ones.`;
  }
  const wrong = attributes.find((attribute) => !isPlainAttribute(name, attribute, allowed));
  return (
    wrong && say`The attribute ${`<${name} ${written(wrong)}>`} is not on the list of plain ones.`
  );
}

function written({ name, value, code }: Attribute): string {
  if (name === '' || value === undefined) {
    return name === '' ? `{${code}}` : `${name}={${code}}`;
  }
  return value === true ? name : `${name}=${JSON.stringify(value)}`;
}

/** @param allowed the attributes of the element; `undefined` for a snippet, which may have any text */
function isPlainAttribute(
  element: string,
  { name, value }: Attribute,
  allowed: ReadonlySet<string> | undefined,
): boolean {
  if (name === '' || value === undefined) {
    return false;
  }
  if (allowed === undefined) {
    return typeof value !== 'object' && isSnippetValue(name);
  }
  if (name === 'className' || name === 'class') {
    return styledElements.has(element) && isPlainClass(value);
  }
  if (name === 'style') {
    return styledElements.has(element) && isPlainStyle(value);
  }
  const isNamed = allowed.has(name) || (elements.has(element) && plainAttributes.has(name));
  return isNamed && textsIn(value).every((text) => isPlainText(element, name, text));
}

function isSnippetValue(name: string): boolean {
  return /^[a-z]\w*$/iu.test(name) && !/^on[A-Z]|^(?:className|class|style|hidden)$/u.test(name);
}

function isPlainClass(value: Attribute['value']): boolean {
  const classes = typeof value === 'string' ? value.split(/\s+/u) : ['{}'];
  return classes.every((one) => one === '' || plainClass.test(one));
}

/** Readers see some texts as they are; what is in the others is a name, a number or an address. */
function isPlainText(element: string, name: string, text: string): boolean {
  return shownAttributes.has(name) && (name === 'alt' || !elements.has(element))
    ? name === 'alt' || text.trim() !== ''
    : addressAttributes.has(name) ||
        (text.length <= longestName && /^\S*(?:\s\S+){0,2}$/u.test(text));
}

const longestName = 80;

function isPlainStyle(value: Attribute['value']): boolean {
  if (typeof value === 'string') {
    return value
      .split(';')
      .every((one) => one.trim() === '' || plainStyle.test(one.split(':')[0]?.trim() ?? ''));
  }
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).every((key) => plainStyle.test(key))
  );
}

function problemOfLink(target: string, context: PlainContext): Problem {
  if (!/^(?:[a-z][a-z\d+.-]*:|[/\\]{2}|\s)/iu.test(target)) {
    return isInDocs(target, context)
      ? undefined
      : say`The link to ${target} is not one that every parser reads alike.`;
  }
  if (isKnownMail(target, context)) {
    return undefined;
  }
  const isKnownHttp =
    /^http:/iu.test(target) && context.known.hasWord(URL.parse(target)?.origin ?? target);
  const isReserved = publisherOf(target) === undefined;
  const isWeb =
    /^https:\/\//iu.test(target) || isKnownHttp || (isReserved && /^http:/iu.test(target));
  if (!isWeb || !readsAsWritten(target)) {
    return say`The link to ${target} is not one that every parser reads alike.`;
  }
  return profile.test(target) || context.known.hasAddress(target)
    ? undefined
    : say`No page linked to ${target} before.`;
}

/** The page of a person or an organisation, such as a contributor: there is nothing to install. */
const profile = /^https:\/\/github\.com\/[a-z\d-]+\/?$/iu;

/** Whether it is an address of mail, and the docs link to its host or name another address there. */
function isKnownMail(target: string, { known }: PlainContext): boolean {
  const [, host] = /^mailto:[^\s?<>@]+@([\w.-]+)$/iu.exec(target) ?? [];
  return host !== undefined && (known.hasAddress(`https://${host}/`) || known.hasWord(`@${host}`));
}

/** Links to nowhere are findings of another rule; a file that is no page and no picture is no plain target. */
function isInDocs(target: string, { after, file }: PlainContext): boolean {
  const end = linksOf(after).resolve(target, file);
  const isPlainFile =
    end.kind !== 'file' ||
    /\.(?:mdx?|png|jpe?g|gif|webp|avif|svg|ico|mp4|webm|mov|mp3|pdf|json|ya?ml)$/iu.test(
      posix.basename(end.file),
    );
  return isPlainFile && !/[\p{Cc}\\]/u.test(target);
}

/** Whether an address means the same to a parser of URLs as to its readers. */
function readsAsWritten(target: string): boolean {
  const url = URL.parse(target);
  if (url === null || url.username !== '' || url.password !== '') {
    return false;
  }
  const same = (one: string, other: string) =>
    one.replace(/\/$/u, '') === other.replace(/\/$/u, '');
  const origin = target.slice(0, url.origin.length);
  return (
    origin.toLowerCase() === url.origin &&
    (same(url.href, target) || same(decoded(url.href), decoded(target)))
  );
}

function decoded(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}

type SampleConstruct = Extract<Construct, { readonly kind: 'sample' }>;

function problemOfSample(
  { language, meta, text }: SampleConstruct,
  context: PlainContext,
): Problem {
  const rest = meta.replace(plainMeta, '');
  if (language.length + rest.trim().length > longestMeta) {
    return say`A sample has ${`${language} ${meta}`} in its first line, which is more than its language and options.`;
  }
  if (language === 'mermaid') {
    const added = text.split('\n').filter((line) => !context.before.includes(line));
    const settings = /^\s*---\r?\n.*$/mu.exec(text)?.[0] ?? '';
    const isPlain = plainDiagram.test(added.join('\n')) && context.before.includes(settings);
    return isPlain ? undefined : say`A diagram contains ${text}, which can do more than draw.`;
  }
  return problemOfCommands(text, context, language);
}

/** What Mintlify reads after the language of a sample. */
const plainMeta =
  /\b(?:title|icon|filename|theme|highlight|focus|lines|wrap|expandable|actions|placement|startLine)(?:=(?:"[^"]{0,100}"|'[^']{0,100}'|\{[^{}]{0,60}\}|[\w.-]+))?|\{[\d,\s-]*\}/gu;

/** A diagram without comments, links and HTML but line breaks. */
const plainDiagram =
  /^(?:(?!\bclick\b|%%|https?:|javascript)(?:[^<]|<(?=br\s*\/?>|[-=|.\s<]|$)))*$/iu;

/** Hosts, packages and scripts that nobody has looked at yet. */
function problemOfCommands(text: string, { known }: PlainContext, language = ''): Problem {
  const host = addressesIn(text).find(
    (one) => !known.hasAddress(one) && !known.hasWord(publisherOf(one)?.host ?? one),
  );
  if (host !== undefined) {
    return say`No page linked to ${host} before.`;
  }
  const isKnown = (word: string) => known.hasWord(word) || known.hasWord(ownerOf(word));
  const word = [...packagesIn(text, language), ...pipesIn(text)].find((one) => !isKnown(one));
  return word === undefined
    ? undefined
    : say`A new sample names ${word}, which the docs did not name before.`;
}

/** Commands that fetch or run published code. */
const fetching =
  /\b(?:npm (?:i|install|add|exec|create|init)|npx|pnpm (?:add|dlx|i|install|create)|yarn (?:add|dlx|create)|bunx?(?: (?:add|x|install|create))?|deno (?:add|install|run)|pip3? install|pipx (?:install|run)|uvx?(?: (?:add|pip install|tool install|run))?|poetry add|conda install|gem install|bundle add|cargo (?:add|install)|go (?:get|install|run)|composer require|dotnet add package|brew (?:install|tap)|apt(?:-get)? install|apk add|docker (?:run|pull)|podman (?:run|pull)|helm (?:install|repo add)|git clone|gh repo clone|claude mcp add|code --install-extension)((?: [^\s|;&<>()]+)+)|^\s*FROM (\S+)|\b(?:curl|wget|iwr|irm)((?: [^\s|;&<>()]+)+)/gmu;

/** The packages, images, repositories and hosts that commands name, as they are written. */
function packagesIn(text: string, language: string): readonly string[] {
  // Settings of tools have a command and a list of its arguments.
  const lists = text
    .replace(/["']?args["']?\s*[:=]/gu, ' ')
    .replace(/["',[\]]+\s*/gu, ' ')
    .replace(/ +/gu, ' ');
  const joined = text.replace(/\\\r?\n\s*/gu, ' ');
  const commands = [
    ...joined.matchAll(fetching),
    ...(/["']?args["']?\s*[:=]/u.test(text) ? lists.matchAll(fetching) : []),
  ];
  return commands.flatMap(([, words = '', image = '', addresses = '']) => [
    ...`${words} ${isImage(image, language) ? image : ''}`
      .split(' ')
      .map(withoutVersion)
      .filter((word) => /^[@\w][\w@./:-]*$/u.test(word) && !/^\d+$/u.test(word)),
    ...addresses
      .split(' ')
      .filter(
        (word) =>
          /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:\/\S*)?$/u.test(word) &&
          !/\.(?:json|ya?ml|txt|sh|zip|tar|gz|tgz|csv|pdf|png|jpe?g|mp3|wav|mp4|html)$/u.test(word),
      ),
  ]);
}

/** `FROM users` is SQL anywhere but in a Dockerfile. */
function isImage(name: string, language: string): boolean {
  return /[:/]/u.test(name) || /^docker(?:file)?$/iu.test(language);
}

/** Whoever publishes `@acme/a` or `github.com/acme/a` publishes what else begins so. */
function ownerOf(word: string): string {
  return /^(?:@|[\w-]+\.\w+\/)?[\w-]{3,}\//u.exec(word)?.[0] ?? word;
}

function withoutVersion(word: string): string {
  return word.replace(/^["'`]|["'`,]$/gu, '').replace(/(?<=.)@[\w.^~-]+$|(?<=\w):[\w.-]+$/u, '');
}

/** Lines that run what another command prints. */
function pipesIn(text: string): readonly string[] {
  return (
    text.match(
      /^.*\|\s*(?:sudo\s+)?(?:ba|z|da|fi)?sh\b.*$|^.*\|\s*(?:sudo\s+)?(?:python3?|node|perl|ruby|iex)\b.*$/gmu,
    ) ?? []
  );
}
