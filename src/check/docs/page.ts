import type { Nodes } from 'mdast';
import type {
  MdxFlowExpression,
  MdxJsxFlowElement,
  MdxJsxTextElement,
  MdxTextExpression,
} from 'mdast-util-mdx';
import { decodeString } from 'micromark-util-decode-string';
import { say } from '../sentence.ts';
import { type Field, type PageProblem, readFrontMatter } from './front-matter.ts';
import { importsIn, type Literal, literalOf, nameIn, namesIn } from './script.ts';
import { cleanAnchor, fieldSlugsOf, slugsOf } from './slug.ts';
import { parseMarkdown, parseMdx, refusalOf, takeHeadingIds } from './syntax.ts';

/** What the rules need to know of a page or a snippet. */
export interface Page {
  /** Why the page cannot be read; then the rest is empty. */
  readonly problem: PageProblem | undefined;
  readonly frontMatter: readonly Field[];
  /** What readers see, in the order of the text: a section's heading comes before what stands below it. */
  readonly blocks: readonly Block[];
  /** Everything that could be anything but plain text. */
  readonly constructs: readonly Construct[];
  readonly links: readonly Link[];
  /** All anchors that a link can point at, without `#`: of headings, components and ids. */
  readonly anchors: ReadonlySet<string>;
  /** Names that the page's imports and exports have in them: what it declares is among them. */
  readonly names: ReadonlySet<string>;
}

/** What a page can show. `tab` to `card` are components with a title and a content. */
export type BlockKind =
  | 'section'
  | 'callout'
  | 'sample'
  | 'picture'
  | 'table'
  | 'row'
  | 'column'
  | 'parameter'
  | 'tab'
  | 'step'
  | 'accordion'
  | 'card'
  | 'list-item'
  | 'paragraph';

/** A part of a page as readers see it. */
export interface Block {
  readonly kind: BlockKind;
  /** Of a component its name, of a sample its language; otherwise empty. */
  readonly name: string;
  /** Of a component or a parameter what it is called, of a table and a row their first cell; otherwise empty. */
  readonly title: string;
  /** As readers see it, with everything inside; of a picture its address, of a sample its lines. */
  readonly text: string;
  readonly line: number;
  /** The heading that it stands below. */
  readonly section: Block | undefined;
  /** The callout, component, list item or table that it stands in. */
  readonly parent: Block | undefined;
  /** What its own text links to. */
  readonly targets: readonly string[];
  /** Code in its sentences. */
  readonly codes: readonly string[];
  /** Of a parameter what else is said of it, such as its type. */
  readonly facets: Readonly<Record<string, string>>;
}

/** An address in a page, as it is written. */
export interface Link {
  readonly kind: 'link' | 'picture' | 'import';
  readonly target: string;
  readonly line: number;
}

interface Located {
  readonly line: number;
}

/** An element of JSX, with its attributes. */
export interface Element extends Located {
  readonly kind: 'element';
  readonly name: string;
  readonly attributes: readonly Attribute[];
  /** What readers see in it; empty of a component, which shows what it showed before. */
  readonly content: string;
}

/** `value` is what is written out; an attribute without one is `true`; `undefined` for code. */
export interface Attribute {
  /** Empty for a spread such as `{...props}`. */
  readonly name: string;
  readonly value: Literal | undefined;
  /** As it is written, where it is code. */
  readonly code: string;
}

/**
 * - `definition`: of a footnote, or of an address that links refer to by a name.
 * - `inline-code`: code in a sentence that names a command or an address.
 * - `invisible`: what stands around a character that nobody sees.
 * - `html`: raw HTML, in Markdown that is no page.
 */
type TextKind =
  | 'comment'
  | 'definition'
  | 'link-title'
  | 'alt-text'
  | 'formula'
  | 'inline-code'
  | 'invisible'
  | 'html';

export type Construct =
  | Element
  | {
      readonly [Kind in TextKind]: Located & { readonly kind: Kind; readonly text: string };
    }[TextKind]
  /** JavaScript: an expression in braces, or exports. `name` is the value that an expression reads. */
  | (Located & { readonly kind: 'code'; readonly text: string; readonly name: string | undefined })
  | (Located & {
      readonly kind: 'import';
      readonly text: string;
      readonly names: readonly string[];
    })
  | (Located & { readonly kind: 'link'; readonly target: string })
  | (Located & {
      readonly kind: 'sample';
      readonly language: string;
      /** What stands after the language. */
      readonly meta: string;
      readonly text: string;
    });

/** A page with nothing in it. */
export const emptyPage: Page = {
  problem: undefined,
  frontMatter: [],
  blocks: [],
  constructs: [],
  links: [],
  anchors: new Set(),
  names: new Set(),
};

/**
 * Reads a page or a snippet. It never throws: a text that cannot be parsed has a `problem`. Size and
 * nesting are limited, so that parsing takes a second at most.
 *
 * @param isMarkdown whether it is Markdown for GitHub, such as a README, in which any text is valid
 */
export function parsePage(text: string, isMarkdown = false): Page {
  const refused = refusalOf(text);
  if (refused !== undefined) {
    return { ...emptyPage, problem: refused };
  }
  const whole = text.replace(/^\uFEFF/, '');
  const { fields: frontMatter, comments, problem, rest } = readFrontMatter(whole);
  if (problem !== undefined) {
    return { ...emptyPage, problem };
  }
  const body = takeHeadingIds(rest);
  const walk = new Walk(body.text, body.ids);
  walk.constructs.push(
    ...comments.map((comment) => ({ kind: 'comment', text: comment, line: 1 }) as const),
    ...invisibleIn(whole),
  );
  try {
    walk.visit([isMarkdown ? parseMarkdown(body.text) : parseMdx(body.text)]);
  } catch (error) {
    return { ...emptyPage, problem: problemOf(error) };
  }
  if (/\\[ux]/iu.test(whole)) {
    // An escape of YAML or JavaScript can stand for such a character, too.
    const values = [frontMatter, walk.constructs, walk.literals];
    walk.constructs.push(...invisibleIn(JSON.stringify(values)));
  }
  for (const block of walk.blocks.filter(({ kind }) => kind !== 'sample')) {
    block.text = tidy(block.text);
  }
  const { blocks, constructs, links, anchors, names } = walk;
  return { problem, frontMatter, blocks, constructs, links, anchors, names };
}

/** The parsers' messages have a reason and a place; a stack that overflows has neither. */
function problemOf(error: unknown): PageProblem {
  if (!(error instanceof Error) || error instanceof RangeError) {
    return { what: say`is nested too deeply`, line: undefined };
  }
  const message =
    'reason' in error && typeof error.reason === 'string' ? error.reason : error.message;
  const [written = ''] = message.split('\n', 1);
  const reason = written
    .replace(/^Could not parse expression with acorn/u, 'What stands in braces is no JavaScript')
    .replace(
      /^Could not parse import\/exports with acorn/u,
      'An import or export is no JavaScript',
    );
  // An element that is not closed has its place in the words: `… for \`<div>\` (12:1-12:6)`.
  const place = /\((\d+):\d+/.exec(reason)?.[1];
  const line = 'line' in error && typeof error.line === 'number' ? error.line : undefined;
  return {
    what: say`is not valid MDX: ${reason}`,
    line: place === undefined ? line : Number(place),
  };
}

type JsxElement = MdxJsxFlowElement | MdxJsxTextElement;

/** Reads one kind of node, and what stands in it. */
type Visitor<Type extends Nodes['type']> = (
  walk: Walk,
  node: Extract<Nodes, { type: Type }>,
) => void;

/** Of a node that is not listed, only what stands in it is read. */
const visitors: { readonly [Type in Nodes['type']]?: Visitor<Type> } = {
  heading: (walk, node) => walk.addSection(node, node.depth, walk.ids.get(lineOf(node))),
  paragraph(walk, node) {
    walk.write(' ');
    walk.children(node);
  },
  listItem(walk, node) {
    const [first, ...rest] = node.children;
    if (first?.type === 'paragraph') {
      const item = walk.addBlock(first, { kind: 'list-item' });
      walk.inside(item, false, () => walk.visit(rest));
    } else {
      walk.children(node);
    }
  },
  table(walk, node) {
    const [head, ...rows] = node.children;
    walk.addBlock(node, { kind: 'table' }, (table) => {
      for (const cell of head?.children ?? []) {
        const column = walk.addBlock(cell, { kind: 'column' });
        table.title ||= tidy(column.text);
      }
      walk.visit(rows);
    });
  },
  tableRow: (walk, node) => void walk.addBlock(node, { kind: 'row' }),
  tableCell: (walk, node) => walk.addCell(node),
  code(walk, node) {
    const [language, meta, text] = [node.lang ?? '', node.meta ?? '', node.value];
    walk.addBlock(node, { kind: 'sample', name: language }, () => walk.write(text));
    walk.constructs.push({ kind: 'sample', language, meta, text, line: lineOf(node) });
  },
  image(walk, node) {
    walk.addPicture(node.url, node.alt, node);
    walk.addLink('picture', node.url, node);
    walk.addText('link-title', node.title, node);
  },
  imageReference: (walk, node) => walk.addText('alt-text', node.alt, node),
  link(walk, node) {
    walk.addLink('link', node.url, node);
    walk.addText('link-title', node.title, node);
    walk.children(node);
  },
  definition(walk, node) {
    walk.addLink('link', node.url, node);
    walk.addText('definition', walk.sourceOf(node), node);
  },
  footnoteDefinition(walk, node) {
    walk.addText('definition', walk.sourceOf(node), node);
    walk.children(node);
  },
  text: (walk, node) => walk.write(node.value),
  break: (walk) => walk.write(' '),
  inlineCode(walk, node) {
    walk.write(node.value);
    walk.block?.codes.push(node.value);
    if (/[\s/]/.test(node.value)) {
      walk.addText('inline-code', node.value, node);
    }
  },
  inlineMath: addFormula,
  math: addFormula,
  html: (walk, node) => walk.addText('html', node.value, node),
  mdxFlowExpression: addExpression,
  mdxTextExpression: addExpression,
  mdxjsEsm(walk, node) {
    const line = lineOf(node);
    for (const name of namesIn(node.value)) {
      walk.names.add(name);
    }
    const { sources, isAll } = importsIn(node.data?.estree);
    for (const { text, names } of sources) {
      walk.links.push({ kind: 'import', target: text, line });
      walk.constructs.push({ kind: 'import', text, names, line });
    }
    if (!isAll) {
      walk.addCode(node, undefined);
    }
  },
  mdxJsxFlowElement: addElement,
  mdxJsxTextElement: addElement,
};

/** A block of which not everything is read yet. */
interface OpenBlock extends Block {
  title: string;
  text: string;
  readonly parent: OpenBlock | undefined;
  readonly targets: string[];
  readonly codes: string[];
}

/** Blocks of words: the words in one make no paragraph. The other blocks have the text of all blocks in them. */
const wordKinds: readonly BlockKind[] = ['section', 'column', 'row', 'list-item', 'paragraph'];

/** What makes a paragraph of what stands around it. */
const words: readonly Nodes['type'][] = [
  'inlineCode',
  'inlineMath',
  'link',
  'linkReference',
  'emphasis',
  'strong',
  'delete',
];

function isWords(node: Nodes): boolean {
  return (
    words.includes(node.type) ||
    (node.type === 'text' && node.value.trim() !== '') ||
    (node.type === 'mdxJsxTextElement' && node.name === 'a')
  );
}

/** One walk of a page's tree, which collects everything that the rules ask about. */
class Walk {
  readonly ids: ReadonlyMap<number, string>;
  readonly blocks: OpenBlock[] = [];
  readonly constructs: Construct[] = [];
  readonly links: Link[] = [];
  readonly anchors = new Set<string>();
  readonly names = new Set<string>();
  /** Values that expressions in the text write out. */
  readonly literals: Literal[] = [];
  /** The innermost block around what is read. */
  block: OpenBlock | undefined;
  private elements: readonly { content: string }[] = [];
  private sections: readonly { readonly depth: number; readonly block: Block }[] = [];
  private isInWords = false;
  private readonly text: string;
  private readonly counts = new Map<string, number>();

  constructor(text: string, ids: ReadonlyMap<number, string>) {
    this.text = text;
    this.ids = ids;
  }

  visit(nodes: readonly Nodes[]): void {
    for (const node of nodes) {
      const visitor = visitors[node.type] as Visitor<typeof node.type> | undefined;
      if (visitor === undefined) {
        this.children(node);
      } else {
        visitor(this, node as never);
      }
    }
  }

  /** Reads what stands in a node. Words that stand in no block of words become a paragraph. */
  children(node: Nodes): void {
    const nodes = 'children' in node ? node.children : [];
    if (!this.isInWords && nodes.some(isWords)) {
      this.addBlock(node, { kind: 'paragraph' });
    } else {
      this.visit(nodes);
    }
  }

  /** Reads what belongs to a block. Headings in it, such as those of a tab, are no headings of what follows. */
  inside(block: OpenBlock, isInWords: boolean, read: () => void): void {
    const { block: outer, isInWords: wasInWords, sections } = this;
    [this.block, this.isInWords] = [block, isInWords];
    read();
    [this.block, this.isInWords, this.sections] = [outer, wasInWords, sections];
  }

  insideElement(element: { readonly name: string; content: string }, read: () => void): void {
    const outer = this.elements;
    this.elements = showsContent.test(element.name) ? [...outer, element] : outer;
    read();
    this.elements = outer;
  }

  /** @param read reads what stands in the block */
  addBlock(
    node: Nodes,
    block: Pick<Block, 'kind'> & Partial<Pick<Block, 'name' | 'title' | 'text' | 'facets'>>,
    read: (block: OpenBlock) => void = () => this.children(node),
  ): OpenBlock {
    this.write(' ');
    const added: OpenBlock = {
      name: '',
      title: '',
      text: '',
      line: lineOf(node),
      section: this.sections.at(-1)?.block,
      parent: this.block,
      targets: [],
      codes: [],
      facets: {},
      ...block,
    };
    this.blocks.push(added);
    this.inside(added, wordKinds.includes(block.kind), () => read(added));
    return added;
  }

  addSection(node: Nodes, depth: number, id: string | undefined, read?: () => void): void {
    this.sections = this.sections.filter((outer) => outer.depth < depth);
    const block = this.addBlock(node, { kind: 'section' }, read);
    this.sections = [...this.sections, { depth, block }];
    this.addAnchors(...(id === undefined ? slugsOf(tidy(block.text)) : [cleanAnchor(id), id]));
  }

  /** A cell's text is a part of its row, which is known by its first cell. */
  addCell(node: Nodes): void {
    const row = this.block;
    if (row?.text.trim()) {
      this.write(' | ');
    }
    this.children(node);
    if (row !== undefined) {
      row.title ||= tidy(row.text);
    }
  }

  addPicture(address: string, alt: string | null | undefined, node: Nodes): void {
    this.addBlock(node, { kind: 'picture', text: address }, () => {});
    this.addText('alt-text', alt, node);
  }

  /** A caption or a tip is a paragraph, unless it belongs to a block or to words around it. */
  addShown(text: string, kind: BlockKind | undefined, node: Nodes): void {
    if (text.trim() !== '' && kind === undefined && !this.isInWords) {
      this.addBlock(node, { kind: 'paragraph' }, () => this.write(text));
    } else {
      this.write(` ${text} `);
    }
  }

  /** Adds what readers see to the innermost block, and to every block around it that is none of words. */
  write(text: string): void {
    for (const element of this.elements) {
      element.content += text;
    }
    for (let block = this.block; block !== undefined; block = block.parent) {
      if (block === this.block || !wordKinds.includes(block.kind)) {
        block.text += text;
      }
    }
  }

  /** Which component makes which anchor differs between versions of Mintlify: all that may be are added. */
  addAnchors(...slugs: readonly string[]): void {
    for (const slug of new Set(slugs.filter((one) => one !== ''))) {
      const count = (this.counts.get(slug) ?? 0) + 1;
      this.counts.set(slug, count);
      this.anchors.add(slug);
      if (count > 1) {
        this.anchors.add(`${slug}-${count - 1}`).add(`${slug}-${count}`);
      }
    }
  }

  addLink(kind: 'link' | 'picture', written: string, node: Nodes): void {
    const [target, line] = [written.trim(), lineOf(node)];
    if (target !== '') {
      this.links.push({ kind, target, line });
      this.constructs.push({ kind: 'link', target, line });
    }
    if (kind === 'link') {
      this.block?.targets.push(target);
    }
  }

  addText(kind: TextKind, text: string | null | undefined, node: Nodes): void {
    if (text) {
      this.constructs.push({ kind, text, line: lineOf(node) });
    }
  }

  /** Paths in code count as links, so that it is missed if what they lead to goes. */
  addCode(node: Nodes & { readonly value: string }, name: string | undefined): void {
    const line = lineOf(node);
    this.constructs.push({ kind: 'code', text: node.value, name, line });
    this.links.push(...pathsInCode(node.value).map((path) => ({ ...path, line })));
  }

  sourceOf({ position }: Nodes): string {
    return this.text.slice(position?.start.offset, position?.end.offset);
  }
}

function addFormula(walk: Walk, node: Extract<Nodes, { type: 'math' | 'inlineMath' }>): void {
  walk.write(node.value);
  walk.addText('formula', node.value, node);
}

function addExpression(walk: Walk, node: MdxFlowExpression | MdxTextExpression): void {
  const program = node.data?.estree;
  const literal = literalOf(program);
  if (program?.body.length === 0) {
    walk.addText('comment', node.value.replace(/^\s*\/[*/]\s*|\s*\*\/\s*$/g, ''), node);
  } else if (literal === undefined || (typeof literal === 'object' && literal !== null)) {
    walk.write(`{${node.value}}`);
    walk.addCode(node, nameIn(node.value));
  } else {
    walk.literals.push(literal);
    walk.write(String(literal));
  }
}

/** Elements that readers see as one thing, by the kind of block that each is. */
const blockElements: ReadonlyMap<string, BlockKind> = new Map(
  Object.entries({
    section: 'h1 h2 h3 h4 h5 h6',
    callout: 'Note Warning Info Tip Check Danger Callout',
    picture: 'img video source iframe',
    parameter: 'ParamField ResponseField Param',
    tab: 'Tab View',
    accordion: 'Accordion Expandable Update details',
    card: 'Card Tile',
    step: 'Step',
    table: 'table',
    row: 'tr',
    'list-item': 'li',
  } satisfies Partial<Record<BlockKind, string>>).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [name, kind as BlockKind] as const),
  ),
);

/** Attributes of components that readers see as text. */
const shownNames = ['title', 'description', 'caption', 'label', 'tip', 'headline'];
const parameterNames = ['query', 'path', 'body', 'header', 'name'];
const parameterFacets = ['type', 'required', 'default', 'enum'];
const anchoredByTitle = ['Accordion', 'Expandable', 'Heading', 'Step', 'Tab', 'Update', 'View'];

/** HTML, which can hide what stands in it, and so can this component. */
const showsContent = /^(?:\p{Ll}|Visibility$)/u;

function addElement(walk: Walk, node: JsxElement): void {
  const { name } = node;
  if (name === null) {
    walk.children(node);
    return;
  }
  const attributes = node.attributes.map(attributeOf);
  const line = lineOf(node);
  const element = { kind: 'element' as const, name, attributes, content: '', line };
  const texts = new Map(attributes.map((one) => [one.name, textValue(one)]));
  walk.constructs.push(element);
  walk.insideElement(element, () => {
    addElementAnchors(walk, name, texts);
    addElementBlock(walk, node, element, texts);
  });
  element.content = tidy(element.content);
}

type Texts = ReadonlyMap<string, string>;

function addElementBlock(
  walk: Walk,
  node: JsxElement,
  { name, attributes }: Element,
  texts: Texts,
): void {
  const kind = blockElements.get(name);
  const read = () => {
    addAddresses(walk, name, attributes, node);
    const shown = attributes.filter((one) => shownNames.includes(one.name)).map(textValue);
    walk.addShown(shown.join(' '), kind, node);
    if (name === 'td' || name === 'th') {
      walk.addCell(node);
    } else {
      walk.children(node);
    }
  };
  switch (kind) {
    case undefined:
      read();
      break;
    case 'section':
      walk.addSection(node, Number(name.slice(1)), texts.get('id'), read);
      break;
    case 'picture':
      walk.addPicture(texts.get('src') ?? '', texts.get('alt'), node);
      read();
      break;
    case 'parameter':
      walk.addBlock(node, { kind, name, ...parameterOf(attributes) }, read);
      break;
    default: {
      const title = texts.get('title') ?? texts.get('label') ?? '';
      walk.addBlock(node, { kind, name, title }, read);
    }
  }
}

/** What a parameter is called, and what else is said of it. */
function parameterOf(attributes: readonly Attribute[]): Pick<Block, 'title' | 'facets'> {
  const named = attributes.find(({ name }) => parameterNames.includes(name));
  const facets = attributes
    .filter(({ name }) => parameterFacets.includes(name))
    .map(({ name, value, code }) => [name, value === undefined ? code : JSON.stringify(value)]);
  const title = named === undefined ? '' : `${named.name} ${textValue(named)}`.trim();
  return { title, facets: Object.fromEntries(facets) };
}

function addElementAnchors(walk: Walk, element: string, texts: Texts): void {
  const kind = blockElements.get(element);
  const id = texts.get('id') ?? (element === 'a' ? texts.get('name') : undefined);
  if (id !== undefined && kind !== 'section') {
    walk.addAnchors(id, cleanAnchor(id));
  }
  if (anchoredByTitle.includes(element)) {
    // Of an update, the version stands in the description.
    const names = ['title', 'label', ...(element === 'Update' ? ['description'] : [])];
    walk.addAnchors(...names.flatMap((name) => slugsOf(texts.get(name) ?? '')));
  }
  if (kind === 'parameter') {
    walk.addAnchors(...parameterNames.flatMap((name) => fieldSlugsOf(texts.get(name) ?? '')));
  }
}

function addAddresses(
  walk: Walk,
  element: string,
  attributes: readonly Attribute[],
  node: Nodes,
): void {
  for (const { name, value = null, code } of attributes) {
    walk.links.push(...pathsInCode(code).map((path) => ({ ...path, line: lineOf(node) })));
    if (element === 'Snippet' && name === 'file') {
      const target = `/snippets/${String(value).replace(/^\/+/, '')}`;
      walk.links.push({ kind: 'import', target, line: lineOf(node) });
      continue;
    }
    // A component's own `src` may be anything.
    const isAddress =
      /^href$/i.test(name) || (/^[a-z]/.test(element) && /^(?:src|poster)$/i.test(name));
    for (const target of textsIn(value).filter((text) => isAddress || looksLikeAddress(text))) {
      walk.addLink(pictureFile.test(target) ? 'picture' : 'link', target, node);
    }
  }
}

function looksLikeAddress(text: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:\/\/\S|\/\/?[^\s/]|\.{1,2}\/|mailto:|javascript:|data:)\S*$/i.test(
    text.trim(),
  );
}

/** All texts in a value that is written out. */
export function textsIn(value: Literal): readonly string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function attributeOf(node: JsxElement['attributes'][number]): Attribute {
  if (node.type === 'mdxJsxExpressionAttribute') {
    return { name: '', value: undefined, code: node.value };
  }
  const { name, value } = node;
  if (typeof value !== 'object' || value === null) {
    return { name, value: value ?? true, code: '' };
  }
  const literal = literalOf(value.data?.estree);
  return { name, value: literal, code: literal === undefined ? value.value : '' };
}

function textValue({ value }: Attribute): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function lineOf(node: Nodes): number {
  return node.position?.start.line ?? 1;
}

/** A text without its line breaks and indentation. */
function tidy(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** Paths in quotes, and what a style loads. */
const pathInCode =
  /(["'`])((?:\.{0,2}\/)[^\s"'`<>${}]{1,300})\1|\burl\(\s*["']?([^\s"'()<>]{1,300})/gu;

/** What a script, a component or a style sheet leads to; nothing else is read of them. */
export function pathsInCode(code: string): readonly Omit<Link, 'line'>[] {
  return [...code.matchAll(pathInCode)].map(([, , quoted, loaded]) => {
    const target = quoted ?? loaded ?? '';
    const kind = pictureFile.test(target) ? 'picture' : 'link';
    return { kind, target };
  });
}

const pictureFile = /\.(?:apng|avif|gif|ico|jpe?g|png|svg|webp|mp4|webm|mov)(?:[?#]|$)/iu;

/** Characters that nobody sees, or that turn the order of others. */
const invisible =
  /[\p{Cf}\p{Co}\p{Cn}\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]|[\u{E0100}-\u{E01EF}]|\u034F|[\uFE00-\uFE0F]{2}|(?![\t\n\r])\p{Cc}/u;

/** Where such characters belong: in emoji, in flags, and between letters of scripts that need joiners. */
const joiners =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D|\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F}|(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}\p{M}])[\u200C\u200D]/gu;

/** The first character of each line that nobody sees, with those around it, also if it is written as a reference. */
function invisibleIn(text: string): readonly Construct[] {
  return text.split('\n').flatMap((raw, index) => {
    const line = raw.includes('&') ? decodeString(raw) : raw;
    // Most lines are plain ASCII.
    const found = /[^\t\r\x20-\x7e]/.test(line) ? invisible.exec(line.replace(joiners, '')) : null;
    return found === null
      ? []
      : [
          {
            kind: 'invisible',
            text: line.slice(Math.max(found.index - 20, 0), found.index + 20),
            line: index + 1,
          },
        ];
  });
}
