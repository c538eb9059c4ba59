import type { Nodes, Root } from 'mdast';
import type {
  MdxFlowExpression,
  MdxJsxFlowElement,
  MdxJsxTextElement,
  MdxjsEsm,
  MdxTextExpression,
} from 'mdast-util-mdx';
import { joining } from '../../text/invisible.ts';
import { showUnseen, unseen } from '../../text/plain.ts';
import { say } from '../sentence.ts';
import { type Field, readFrontMatter } from './front-matter.ts';
import { maxDepth, type PageProblem, refusalOf } from './limits.ts';
import { isComponent, type NameUse, type Scope, scopeOf, usesIn } from './scope.ts';
import {
  importsIn,
  type Literal,
  literalOf,
  type MaybeProgram,
  readingOf,
  textsIn,
} from './script.ts';
import { cleanAnchor, slugsOf } from './slug.ts';
import { type Body, bodyOf, isMarked, marked, parse, parseProblem, unmarked } from './syntax.ts';

/** What the rules need to know of a page or a snippet. */
export interface Page {
  /** Why the page cannot be read; then the rest is empty. */
  readonly problem: PageProblem | undefined;
  readonly frontMatter: readonly Field[];
  /** What readers see, in the order of the text. */
  readonly blocks: readonly Block[];
  /** The components, values and variables that the page uses outside of imports, exports, samples and inline code. */
  readonly uses: readonly NameUse[];
  /** What stands in the page although readers do not see it. */
  readonly unseen: readonly Unseen[];
  readonly links: readonly Link[];
  /** All anchors that a link can point at, without `#`: of headings, components and ids. */
  readonly anchors: ReadonlySet<string>;
  /** Whether a title contains a value, so that its anchor is not known. */
  readonly hasUnknownAnchors: boolean;
  readonly scope: Scope;
  /** Lines of samples in which another sample begins, so that their own fence was left open. */
  readonly openFences: readonly number[];
}

type BlockKind =
  | 'heading'
  /** A component that has a title, or stands out, such as a callout, a tab or a card. */
  | 'component'
  | 'parameter'
  | 'sample'
  | 'row'
  | 'list-item'
  | 'paragraph';

/** A part of a page as readers see it. */
export interface Block {
  readonly kind: BlockKind;
  /** The language of a sample; the name, type, default and "required" of a parameter; empty for any other block. */
  readonly name: string;
  /** The text of this block alone, without nested blocks. For a sample: its lines. */
  readonly text: string;
  /** Inline code in the text. */
  readonly codes: readonly string[];
  readonly line: number;
}

/** A part of a page's source that readers do not see. */
export interface Unseen {
  readonly kind: 'comment' | 'script' | 'character';
  readonly text: string;
  readonly line: number;
}

/** What leads to a page or a file, as it is written. */
export interface Reference {
  /**
   * - `link`: readers choose to follow it.
   * - `source`: a picture or another file that is loaded.
   * - `import`: a page or a snippet includes it.
   * - `page`: an entry of the navigation.
   * - `description`: a file that describes an API.
   * - `redirect`: where a redirect leads.
   */
  readonly kind: 'link' | 'source' | 'import' | 'page' | 'description' | 'redirect';
  readonly target: string;
  /** The address that a redirect is for. */
  readonly source?: string;
  /** True if the target may be no path at all: such a reference is broken only if it led somewhere before. */
  readonly isGuess?: boolean;
}

/** What a page leads to. */
export interface Link extends Reference {
  readonly kind: 'link' | 'source' | 'import';
  readonly line: number;
}

export const emptyPage: Page = {
  problem: undefined,
  frontMatter: [],
  blocks: [],
  uses: [],
  unseen: [],
  links: [],
  anchors: new Set(),
  hasUnknownAnchors: false,
  scope: scopeOf([]),
  openFences: [],
};

/** Whether Mintlify makes a page from an operation or a schema of an API. */
export function isOfApi(page: Page | undefined): boolean {
  const names = ['openapi', 'api', 'asyncapi', 'openapi-schema'];
  return (page?.frontMatter ?? []).some(({ name }) => names.includes(name));
}

/**
 * Reads a page or a snippet. It never throws: a text that cannot be parsed has a `problem`. Size and
 * nesting are limited, so that parsing takes a second at most.
 *
 * @param isMarkdown whether it is Markdown for GitHub, such as a README, in which any text is valid
 */
export function parsePage(text: string, isMarkdown = false): Page {
  const refused = refusalOf(text);
  if (refused !== undefined) {
    return unreadable(text, refused);
  }
  const whole = text.replace(/^\uFEFF/, '');
  const { fields: frontMatter, comments, problem, rest } = readFrontMatter(whole);
  if (problem !== undefined) {
    return unreadable(text, problem);
  }
  const walk = new Walk(bodyOf(rest));
  walk.unseen.push(
    ...comments.map((comment) => ({ kind: 'comment', text: comment, line: 1 }) as const),
    ...unseenCharactersIn(whole),
  );
  try {
    walk.read(parse(walk.body.text, isMarkdown));
  } catch (error) {
    return unreadable(text, parseProblem(error));
  }
  const { blocks, uses, unseen, links, anchors, hasUnknownAnchors, scope, openFences } = walk;
  return {
    ...{ problem, frontMatter, blocks, uses, unseen, links },
    ...{ anchors, hasUnknownAnchors, scope, openFences },
  };
}

/** A page that the parser refuses. If that is because of an unfinished merge, its marks are the problem. */
function unreadable(text: string, problem: PageProblem): Page {
  const start = /^<{7}(?: |$)/mu.exec(text);
  if (start === null || !/^>{7}(?: |$)/mu.test(text)) {
    return { ...emptyPage, problem };
  }
  const line = text.slice(0, start.index).split('\n').length;
  const what = say`has the mark ${'<<<<<<<'} of an unfinished merge`;
  return { ...emptyPage, problem: { what, line } };
}

/** Reads each kind of node, and its children. For a node that is not listed, only the children are read. */
const visitors: {
  readonly [Type in Nodes['type']]?: (walk: Walk, node: Extract<Nodes, { type: Type }>) => void;
} = {
  heading: (walk, node) => walk.addHeading(node, walk.body.ids.get(lineOf(node))),
  paragraph(walk, node) {
    walk.write(' ');
    walk.children(node);
  },
  listItem(walk, node) {
    const [first, ...rest] = node.children;
    if (first?.type !== 'paragraph') {
      walk.children(node);
      return;
    }
    walk.addBlock(first, { kind: 'list-item' }, () => {
      walk.children(first);
      // Words after the first paragraph of an item are paragraphs.
      walk.isInWords = false;
      walk.visit(rest);
    });
  },
  table(walk, node) {
    const [head, ...rows] = node.children;
    for (const cell of head?.children ?? []) {
      walk.addBlock(cell, { kind: 'paragraph' });
    }
    walk.visit(rows);
  },
  tableRow: (walk, node) => walk.addBlock(node, { kind: 'row' }),
  tableCell: (walk, node) => walk.addCell(node),
  code: (walk, node) => walk.addSample(node, node.lang ?? ''),
  image: (walk, node) => walk.addLink('source', node.url, node),
  link(walk, node) {
    walk.addLink('link', node.url, node);
    walk.children(node);
  },
  definition: (walk, node) => walk.addLink('link', node.url, node),
  text: (walk, node) => walk.write(node.value),
  break: (walk) => walk.write(' '),
  inlineCode: (walk, node) => walk.addCode(node),
  inlineMath: (walk, node) => walk.addCode(node),
  math: (walk, node) => walk.addSample(node, 'math'),
  mdxFlowExpression: addExpression,
  mdxTextExpression: addExpression,
  mdxjsEsm(walk, node) {
    const { targets, isAll } = importsIn(node.data?.estree);
    for (const target of targets) {
      walk.addLink('import', target, node);
    }
    if (!isAll) {
      walk.addScript(node.value, node);
    }
  },
  mdxJsxFlowElement: addElement,
  mdxJsxTextElement: addElement,
};

/** A block that is still being read. */
interface OpenBlock extends Block {
  text: string;
  readonly codes: string[];
}

/**
 * The kinds of blocks that hold text directly. In any other kind, such as a component, text becomes a paragraph of its
 * own.
 */
const wordKinds: readonly BlockKind[] = ['heading', 'row', 'list-item', 'paragraph'];

/** Names of elements and kinds of nodes that are parts of a paragraph. */
const words =
  'inlineCode inlineMath link linkReference emphasis strong delete a abbr b code del em i ins kbd mark q s small span strong sub sup u'.split(
    ' ',
  );

function isWords(node: Nodes): boolean {
  if (node.type === 'text') {
    return node.value.trim() !== '';
  }
  const name = 'name' in node && node.name ? node.name : node.type;
  // A node of the kind `code` is a sample.
  return !['mdxJsxFlowElement', 'code'].includes(node.type) && words.includes(name);
}

/** One walk of a page's tree, which collects everything that the rules ask about. */
class Walk {
  readonly body: Body;
  readonly blocks: OpenBlock[] = [];
  readonly uses: NameUse[] = [];
  readonly unseen: Unseen[] = [];
  readonly links: Link[] = [];
  readonly anchors = new Set<string>();
  readonly openFences: number[] = [];
  hasUnknownAnchors = false;
  scope: Scope = emptyPage.scope;
  /** Whether text is a part of the innermost block. Otherwise it makes a paragraph. */
  isInWords = false;
  /** The innermost block around what is read. */
  private block: OpenBlock | undefined;
  /** How deeply nested the node being read is. */
  private depth = 0;
  /** Components that this page declares, so that their titles make no anchors. Empty if its code sets an `id`. */
  withoutAnchors: ReadonlySet<string> = new Set();
  /** For each character of the text, whether it stands in a sample or in inline code. */
  private readonly isCode: Uint8Array;

  constructor(body: Body) {
    this.body = body;
    this.isCode = new Uint8Array(body.text.length);
  }

  read(root: Root): void {
    const modules = modulesIn(root.children);
    this.scope = scopeOf(modules.map(({ data }) => data?.estree));
    if (!modules.some(({ value }) => /\bid\b/u.test(value))) {
      this.withoutAnchors = this.scope.declared;
    }
    this.visit(root.children);
    // In code, a variable would be an example.
    this.uses.push(...this.body.variables.filter(({ offset }) => !this.isCode[offset]));
  }

  visit(nodes: readonly Nodes[]): void {
    for (const node of nodes) {
      const visitor: ((walk: Walk, node: never) => void) | undefined = visitors[node.type];
      if (visitor === undefined) {
        this.children(node);
      } else {
        visitor(this, node as never);
      }
    }
  }

  /** Reads the children of a node. Words that belong to no block become a paragraph. */
  children(node: Nodes): void {
    const nodes = 'children' in node ? node.children : [];
    this.depth += 1;
    if (this.depth > maxDepth) {
      throw new RangeError('Elements are nested too deeply');
    }
    if (!this.isInWords && nodes.some(isWords)) {
      this.addBlock(node, { kind: 'paragraph' });
    } else {
      this.visit(nodes);
    }
    this.depth -= 1;
  }

  /**
   * @param readInner reads what stands in the block
   * @returns the text of the block, in which braces around code are marked
   */
  addBlock(
    node: Nodes,
    { kind, name = '', text = '' }: Pick<Block, 'kind'> & Partial<Block>,
    readInner: () => void = () => this.children(node),
  ): string {
    this.write(' ');
    const added: OpenBlock = { kind, name: unmarked(name), text, codes: [], line: lineOf(node) };
    this.blocks.push(added);
    const { block: outer, isInWords } = this;
    this.block = added;
    this.isInWords = wordKinds.includes(kind);
    readInner();
    [this.block, this.isInWords] = [outer, isInWords];
    const whole = kind === 'sample' ? text : added.text.replace(/\s+/gu, ' ').trim();
    added.text = unmarked(whole);
    return whole;
  }

  addHeading(node: Nodes, id = '', read?: () => void): void {
    const text = this.addBlock(node, { kind: 'heading' }, read);
    if (id === '') {
      this.addTitles(text);
    } else {
      this.addAnchors(cleanAnchor(id), id);
    }
  }

  addSample(node: Extract<Nodes, { type: 'code' | 'math' }>, language: string): void {
    this.addCodeRange(node);
    const [fence] = /^(?:`{3,}|~{3,})/u.exec(this.sourceOf(node)) ?? [];
    // A line such as "```sh" closes nothing.
    if (fence && new RegExp(`^ {0,3}${fence}${fence[0]}*[a-z]`, 'imu').test(node.value)) {
      this.openFences.push(lineOf(node));
    }
    this.addBlock(node, { kind: 'sample', name: language, text: node.value }, () => {});
  }

  /** Adds text that readers see to the innermost block. */
  write(text: string): void {
    if (this.block !== undefined) {
      this.block.text += text;
    }
  }

  addCode(node: Extract<Nodes, { type: 'inlineCode' | 'inlineMath' }>): void {
    this.addCodeRange(node);
    this.write(node.value);
    this.block?.codes.push(unmarked(node.value));
  }

  private addCodeRange({ position }: Nodes): void {
    this.isCode.fill(1, position?.start.offset ?? 0, position?.end.offset ?? 0);
  }

  /** Adds the anchors of titles. If a title contains a value, as `v{{version}}` does, its anchor is not known. */
  addTitles(...titles: readonly string[]): void {
    this.hasUnknownAnchors ||= titles.some(isMarked);
    this.addAnchors(...titles.flatMap(slugsOf));
  }

  /** Adds every anchor that there may be, since versions of Mintlify differ in which component makes which anchor. */
  addAnchors(...slugs: readonly string[]): void {
    for (const slug of slugs.filter((one) => one !== '')) {
      this.anchors.add(slug);
    }
  }

  addLink(kind: Link['kind'], written: string, node: Nodes, isGuess = false): void {
    const target = written.trim();
    if (kind === 'link' || target !== '') {
      this.links.push({
        kind,
        target: unmarked(target),
        line: lineOf(node),
        ...(isGuess && { isGuess }),
      });
    }
  }

  /** Adds JavaScript: readers do not see what it does. */
  addScript(text: string, node: Nodes): void {
    this.addPathsIn(text, node);
    this.addUnseen('script', text, node);
  }

  /**
   * Adds the paths in code as links, so that the check knows of a file that only code names.
   * @param isAddress whether the code makes an address, so that a path in it is no guess
   */
  addPathsIn(code: string, node: Nodes, isAddress = false): void {
    for (const [, attribute, , target = ''] of code.matchAll(pathInCode)) {
      this.addLink(kindOfPath(target), target, node, !isAddress && attribute === undefined);
    }
  }

  addUnseen(kind: Unseen['kind'], text: string, node: Nodes): void {
    this.unseen.push({ kind, text: unmarked(text), line: lineOf(node) });
  }

  /** A cell's text is a part of its row. */
  addCell(node: Nodes): void {
    if (this.block?.text.trim()) {
      this.write(' | ');
    }
    this.children(node);
  }

  sourceOf({ position }: Nodes): string {
    return this.body.text.slice(position?.start.offset, position?.end.offset);
  }
}

/** The imports and exports of a page, which can also stand between the tags of an element. */
function modulesIn(nodes: readonly Nodes[]): readonly MdxjsEsm[] {
  return nodes.flatMap((node) => {
    const inner = node.type === 'mdxJsxFlowElement' ? modulesIn(node.children) : [];
    return node.type === 'mdxjsEsm' ? [node] : inner;
  });
}

/** A path in quotes, such as `href: '/setup'`. With another key, the path may be anything, such as one of an API. */
const pathInCode = /(\b(?:href|src)["']?\s*[=:]\s*\{?)?(["'`])(\.{0,2}\/[^\s"'`<>${}]{1,300})\2/gu;

function addExpression(walk: Walk, node: MdxFlowExpression | MdxTextExpression): void {
  const program = node.data?.estree;
  const literal = literalOf(program);
  if (program?.body.length === 0) {
    walk.addUnseen('comment', node.value.replace(/^\s*\/[*/]\s*|\s*\*\/\s*$/g, ''), node);
  } else if (literal === undefined || (typeof literal === 'object' && literal !== null)) {
    walk.write(marked(node.value));
    const kind = readingOf(node.value);
    walk.uses.push(...usesIn(program, kind));
    // An expression that only reads a value hides nothing from readers.
    if (kind === 'code') {
      walk.addScript(node.value, node);
    }
  } else {
    walk.write(String(literal));
  }
}

const blockElements: ReadonlyMap<string, BlockKind> = new Map(
  Object.entries({
    heading: 'h1 h2 h3 h4 h5 h6',
    component:
      'Note Warning Info Tip Check Danger Callout Tab View Accordion Expandable Update details Card Tile Step table',
    parameter: 'ParamField ResponseField Param',
    row: 'tr',
    'list-item': 'li',
  } as const satisfies Partial<Record<BlockKind, string>>).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [name, kind as BlockKind] as const),
  ),
);

/** Attributes of components that readers see as text, besides their titles. */
const shownNames = ['headline', 'description', 'caption', 'hint', 'tip', 'cta', 'placeholder'];
const parameterNames = ['query', 'path', 'body', 'header', 'name'];
const parameterFacets = ['type', 'required', 'default', 'initialValue', 'deprecated', 'enum'];

type JsxElement = MdxJsxFlowElement | MdxJsxTextElement;

function addElement(walk: Walk, node: JsxElement): void {
  const { name } = node;
  if (name === null) {
    walk.children(node);
    return;
  }
  const attributes = node.attributes.map(attributeOf);
  if (isComponent(name)) {
    walk.uses.push({ kind: 'component', name, line: lineOf(node) });
  }
  for (const attribute of attributes) {
    readAttribute(walk, name, attribute, node);
  }
  if (/^script$/iu.test(name)) {
    walk.addUnseen('script', walk.sourceOf(node), node);
  }
  if (!walk.withoutAnchors.has(name)) {
    const ids = attributeTexts(attributes, ['id', 'name']);
    walk.addAnchors(...ids, ...ids.map(cleanAnchor));
    // An `Update` can have its version in the description.
    walk.addTitles(...attributeTexts(attributes, ['title', 'label', 'description']));
  }
  const kind = blockElements.get(name);
  const read = () => readElement(walk, node, name, attributes);
  if (kind === undefined) {
    read();
  } else if (kind === 'heading') {
    walk.addHeading(node, attributeText(attributes, 'id'), read);
  } else {
    walk.addBlock(node, { kind, name: kind === 'parameter' ? parameterOf(attributes) : '' }, read);
  }
}

/** An attribute of an element. The value is `true` if none is written, and `undefined` for code. */
interface Attribute {
  /** Empty for a spread such as `{...props}`. */
  readonly name: string;
  readonly value: Literal | undefined;
  /** The code as it is written; empty for a value that is written out. */
  readonly code: string;
  readonly program: MaybeProgram;
}

function attributeOf(node: JsxElement['attributes'][number]): Attribute {
  if (node.type === 'mdxJsxExpressionAttribute') {
    return { name: '', value: undefined, code: node.value, program: node.data?.estree };
  }
  const { name, value } = node;
  if (typeof value !== 'object' || value === null) {
    return { name, value: value ?? true, code: '', program: undefined };
  }
  const program = value.data?.estree;
  const literal = literalOf(program);
  return { name, value: literal, code: literal === undefined ? value.value : '', program };
}

/** The text of an attribute; empty for none. */
function attributeText(attributes: readonly Attribute[], name: string): string {
  const value = attributes.findLast((one) => one.name === name)?.value;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function attributeTexts(attributes: readonly Attribute[], names: readonly string[]) {
  return names.map((name) => attributeText(attributes, name));
}

/** Reads what an element shows: the texts of its attributes, and its children. */
function readElement(
  walk: Walk,
  node: JsxElement,
  name: string,
  attributes: readonly Attribute[],
): void {
  if (words.includes(name)) {
    walk.children(node);
    return;
  }
  const title = attributeTexts(attributes, ['label', 'title']).join(' ');
  const shown = attributeTexts(attributes, shownNames).join(' ');
  // The title of a block is a part of its text. A caption or a tip is a paragraph, unless it stands among words.
  const [called, said] = blockElements.has(name) ? [title, shown] : ['', `${title} ${shown}`];
  walk.write(` ${called} `);
  if (said.trim() !== '' && !walk.isInWords) {
    walk.addBlock(node, { kind: 'paragraph' }, () => walk.write(said));
  } else {
    walk.write(` ${said} `);
  }
  if (name === 'td' || name === 'th') {
    walk.addCell(node);
  } else {
    walk.children(node);
  }
  walk.write(' ');
}

/** The name of a parameter with its type, default and "required", such as `query limit: type integer, required`. */
function parameterOf(attributes: readonly Attribute[]): string {
  const named = attributes.find(({ name }) => parameterNames.includes(name))?.name ?? '';
  const facets = attributes
    .filter(({ name }) => parameterFacets.includes(name))
    .map(({ name, value, code }) =>
      value === true
        ? name
        : `${name} ${typeof value === 'string' ? value : (JSON.stringify(value) ?? code)}`,
    );
  const title = `${named} ${attributeText(attributes, named)}`.trim();
  return [title, facets.toSorted().join(', ')].filter((part) => part !== '').join(': ');
}

/** Adds what an attribute uses, runs, and leads to. */
function readAttribute(
  walk: Walk,
  element: string,
  { name, value = null, code, program }: Attribute,
  node: Nodes,
): void {
  walk.uses.push(...usesIn(program, 'code'));
  if (/^on[A-Z]/u.test(name) && code !== '') {
    walk.addUnseen('script', code, node);
  }
  for (const text of textsIn(value)) {
    const kind = kindOfAttribute(element, name, text);
    if (element === 'Snippet' && name === 'file') {
      walk.addLink('import', `/snippets/${text.replace(/^\/+/, '')}`, node);
    } else if (kind !== undefined) {
      walk.addLink(kind, text, node);
    }
  }
  walk.addPathsIn(code, node, /^(?:href|src|poster|img|icon)$/i.test(name));
}

/** The kind of a link in an attribute; `undefined` if the text is no address. In a component, `src` may be anything. */
function kindOfAttribute(element: string, name: string, text: string): Link['kind'] | undefined {
  if (/^href$/i.test(name)) {
    return 'link';
  }
  const isSource =
    name === 'img' ||
    (name === 'icon' && text.includes(':')) ||
    (/^[a-z]/.test(element) && /^(?:src|poster)$/i.test(name));
  return isSource ? 'source' : address.test(text.trim()) ? kindOfPath(text) : undefined;
}

const address = /^(?:[a-z][a-z\d+.-]*:\/\/\S|\/\/?[^\s/]|\.{1,2}\/|mailto:|javascript:|data:)\S*$/i;

/** The kind of a path in code, or in an attribute of any name: with an extension, it leads to a file. */
function kindOfPath(path: string): Link['kind'] {
  return /\.[a-z]\w{1,4}(?:[?#]|$)/iu.test(path) ? 'source' : 'link';
}

function lineOf(node: Nodes): number {
  return node.position?.start.line ?? 1;
}

/** Unseen characters that change how their neighbours look: in emoji, in flags, and in scripts that need joiners. */
const belonging = new RegExp(
  [
    '(?<=[\\p{Emoji}\\p{S}\\p{P}])[\\uFE0E\\uFE0F]',
    '(?<=\\p{Extended_Pictographic}|\\p{Emoji_Modifier}|\\uFE0F)\\u200D',
    '\\u{1F3F4}[\\u{E0061}-\\u{E007A}]{5}\\u{E007F}',
    `(?<=${joining}|\\p{M})[\\u200C\\u200D]`,
    '[\\t\\r]',
  ].join('|'),
  'gu',
);

/** Lines with characters that nobody sees, or that turn the order of others. Each is written as `<U+200B>`. */
export function unseenCharactersIn(text: string): readonly Unseen[] {
  return text.split('\n').flatMap((line, index): readonly Unseen[] => {
    // Most lines are plain ASCII.
    const rest = /[^\t\r\x20-\x7e]/.test(line) ? line.replace(belonging, '') : '';
    const [start] = [...rest.matchAll(unseen)].map((found) => Math.max(found.index - 20, 0));
    return start === undefined
      ? []
      : [{ kind: 'character', text: showUnseen(rest.slice(start)), line: index + 1 }];
  });
}
