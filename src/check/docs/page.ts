import type { Association, Definition, FootnoteDefinition, Nodes, Parents, Root } from 'mdast';
import type {
  MdxFlowExpression,
  MdxJsxFlowElement,
  MdxJsxTextElement,
  MdxTextExpression,
} from 'mdast-util-mdx';
import { say } from '../sentence.ts';
import { type Field, type PageProblem, readFrontMatter } from './front-matter.ts';
import {
  hasOnlyImports,
  importsIn,
  type Literal,
  literalOf,
  nameIn,
  namesInCode,
} from './script.ts';
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
  /** Of a component or a parameter what it is called; otherwise empty. */
  readonly title: string;
  /** As readers see it, with everything inside; of a picture its address, of a sample its lines. */
  readonly text: string;
  readonly line: number;
  /** The heading that it stands below. */
  readonly section: Block | undefined;
  /** The callout, component, list item or table that it stands in. */
  readonly parent: Block | undefined;
  /** The elements that it stands in, from the outermost one. */
  readonly within: readonly Element[];
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
 * - `comment`: a comment, or a definition that nothing uses.
 * - `inline-code`: code in a sentence that names a command or an address.
 * - `invisible`: what stands around a character that nobody sees.
 * - `html`: raw HTML, in Markdown that is no page.
 */
type TextKind =
  | 'comment'
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
  const plain = text.replace(/^\uFEFF/, '');
  try {
    const headings = takeHeadingIds(plain);
    const root = isMarkdown ? parseMarkdown(headings.text) : parseMdx(headings.text);
    return new Walk(plain, headings.ids).read(root);
  } catch (error) {
    return { ...emptyPage, problem: problemOf(error) };
  }
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

/** What a node stands in. */
interface Around {
  readonly parent: Block | undefined;
  readonly within: readonly Element[];
  /** Whether its paragraph has nothing but elements, so that their text stands by itself. */
  readonly isAlone?: boolean;
}

type JsxElement = MdxJsxFlowElement | MdxJsxTextElement;

/** Reads one kind of node; what it returns is the surroundings of the nodes below, `undefined` to skip them. */
type Visitor<Type extends Nodes['type']> = (
  walk: Walk,
  node: Extract<Nodes, { type: Type }>,
  around: Around,
) => Around | undefined;

const visitors: { readonly [Type in Nodes['type']]?: Visitor<Type> } = {
  heading(walk, node, around) {
    walk.addSection(node, around, node.depth, walk.ids.get(lineOf(node)));
    return around;
  },
  paragraph(walk, node, around) {
    if (node.children.every(isElementOrSpace) && node.children.some(isElement)) {
      return { ...around, isAlone: true };
    }
    walk.addBlock(node, around, { kind: 'paragraph', ...quotedIn(node) });
    return around;
  },
  listItem(walk, node, around) {
    const [first, ...rest] = node.children;
    if (first?.type !== 'paragraph') {
      return around;
    }
    const item = walk.addBlock(first, around, { kind: 'list-item', ...quotedIn(first) });
    walk.visit([...first.children, ...rest], item);
    return undefined;
  },
  table(walk, node, around) {
    const [head, ...rows] = node.children;
    const [name = ''] = head?.children.map(plainText) ?? [];
    const table = walk.addBlock(node, around, { kind: 'table', title: name });
    for (const cell of head?.children ?? []) {
      walk.addBlock(cell, table, { kind: 'column' });
    }
    for (const row of rows) {
      const cells = row.children.map(plainText);
      const [title = ''] = cells;
      const text = cells.join(' | ');
      walk.addBlock(row, table, { kind: 'row', title, text, ...quotedIn(row) });
    }
    return table;
  },
  code(walk, node, around) {
    const [language, meta, text] = [node.lang ?? '', node.meta ?? '', node.value];
    walk.addBlock(node, around, { kind: 'sample', name: language, text });
    walk.constructs.push({ kind: 'sample', language, meta, text, line: lineOf(node) });
    return undefined;
  },
  image(walk, node, around) {
    const alt = node.alt ?? '';
    walk.addBlock(node, around, { kind: 'picture', text: node.url, title: alt });
    walk.addLink('picture', node.url, node);
    walk.addText('alt-text', alt, node);
    walk.addLinkTitle(node);
    return undefined;
  },
  link(walk, node, around) {
    walk.addLink('link', node.url, node);
    walk.addLinkTitle(node);
    return around;
  },
  definition(walk, node) {
    walk.addLink('link', node.url, node);
    walk.addLinkTitle(node);
    walk.definitions.push(node);
    return undefined;
  },
  footnoteDefinition(walk, node, around) {
    walk.definitions.push(node);
    return around;
  },
  linkReference: addReference,
  imageReference: addReference,
  footnoteReference: addReference,
  text(walk, node) {
    // Each line of the text itself is read: left are the characters that a reference stands for.
    if (invisibleIn(node.value).length > 0 && !walk.text.includes(node.value)) {
      walk.addInvisible(node.value, lineOf(node));
    }
    return undefined;
  },
  inlineCode(walk, node) {
    if (/[\s/]/.test(node.value)) {
      walk.addText('inline-code', node.value, node);
    }
    return undefined;
  },
  math: (walk, node) => walk.addText('formula', node.value, node),
  inlineMath: (walk, node) => walk.addText('formula', node.value, node),
  html: (walk, node) => walk.addText('html', node.value, node),
  mdxFlowExpression: addExpression,
  mdxTextExpression: addExpression,
  mdxjsEsm(walk, node) {
    const line = lineOf(node);
    const program = node.data?.estree;
    for (const name of namesInCode(node.value)) {
      walk.names.add(name);
    }
    for (const { source, names } of importsIn(program)) {
      walk.links.push({ kind: 'import', target: source, line });
      walk.constructs.push({ kind: 'import', text: source, names, line });
    }
    if (!hasOnlyImports(program)) {
      walk.addCode(node, undefined);
    }
    return undefined;
  },
  mdxJsxFlowElement: addElement,
  mdxJsxTextElement: addElement,
};

/** One walk of a page's tree, which collects everything that the rules ask about. */
class Walk {
  readonly text: string;
  readonly ids: ReadonlyMap<number, string>;
  readonly blocks: Block[] = [];
  readonly constructs: Construct[] = [];
  readonly links: Link[] = [];
  readonly anchors = new Set<string>();
  readonly names = new Set<string>();
  readonly definitions: (Definition | FootnoteDefinition)[] = [];
  readonly references = new Set<string>();
  private readonly counts = new Map<string, number>();
  private sections: readonly { readonly depth: number; readonly block: Block }[] = [];

  constructor(text: string, ids: ReadonlyMap<number, string>) {
    this.text = text;
    this.ids = ids;
  }

  read(root: Root): Page {
    const yaml = root.children.find(({ type }) => type === 'yaml');
    const text = yaml?.type === 'yaml' ? yaml.value : undefined;
    const { fields, comments, problem } = readFrontMatter(text, this.text);
    if (problem !== undefined) {
      return { ...emptyPage, problem };
    }
    for (const comment of comments) {
      this.addText('comment', comment, root);
    }
    for (const [index, line] of this.text.split('\n').entries()) {
      this.addInvisible(line, index + 1);
    }
    this.visit(root.children, { parent: undefined, within: [] });
    for (const node of this.definitions.filter((one) => !this.references.has(one.identifier))) {
      this.addText('comment', node.identifier, node);
    }
    this.anchors.delete('');
    const { blocks, constructs, links, anchors, names } = this;
    return { problem, frontMatter: fields, blocks, constructs, links, anchors, names };
  }

  visit(nodes: readonly Nodes[], around: Around): void {
    for (const node of nodes) {
      const visitor = visitors[node.type] as Visitor<typeof node.type> | undefined;
      const inside = visitor === undefined ? around : visitor(this, node as never, around);
      if (inside !== undefined && 'children' in node) {
        this.visit(node.children, inside);
      }
    }
  }

  /** Adds a block, and returns the surroundings of what stands in it. */
  addBlock(
    node: Nodes,
    { parent, within }: Around,
    block: Pick<Block, 'kind'> & Partial<Block>,
  ): { readonly parent: Block; readonly within: readonly Element[] } {
    const added: Block = {
      name: '',
      title: '',
      text: plainText(node),
      line: lineOf(node),
      section: this.sections.at(-1)?.block,
      parent,
      within,
      targets: [],
      codes: [],
      facets: {},
      ...block,
    };
    this.blocks.push(added);
    return { parent: added, within };
  }

  addSection(node: Nodes, around: Around, depth: number, id: string | undefined): void {
    const title = plainText(node);
    this.sections = this.sections.filter((outer) => outer.depth < depth);
    const { parent } = this.addBlock(node, around, { kind: 'section', title });
    this.sections = [...this.sections, { depth, block: parent }];
    this.addAnchors(...(id === undefined ? slugsOf(title) : [cleanAnchor(id), id]));
  }

  /** What stands in a tab or a step has sections of its own. */
  inside(node: Parents, around: Around): void {
    const outer = this.sections;
    this.visit(node.children, around);
    this.sections = outer;
  }

  /** Which component makes which anchor differs between versions of Mintlify: all that may be are added. */
  addAnchors(...slugs: readonly string[]): void {
    for (const slug of new Set(slugs)) {
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
  }

  addLinkTitle(node: Nodes & { readonly title?: string | null | undefined }): void {
    if (node.title) {
      this.addText('link-title', node.title, node);
    }
  }

  addText(kind: TextKind, text: string, node: Nodes): undefined {
    this.constructs.push({ kind, text, line: lineOf(node) });
  }

  addCode(node: Nodes & { readonly value: string }, name: string | undefined): void {
    this.constructs.push({ kind: 'code', text: node.value, name, line: lineOf(node) });
    this.addPaths(node.value, node);
  }

  /** Paths in code, so that it is missed if what they lead to goes. */
  addPaths(code: string, node: Nodes): void {
    this.links.push(...pathsInCode(code).map((path) => ({ ...path, line: lineOf(node) })));
  }

  addInvisible(text: string, line: number): void {
    for (const around of invisibleIn(text)) {
      this.constructs.push({ kind: 'invisible', text: around, line });
    }
  }
}

/** Readers see a link's text, and not by which name it refers to its address: a long one is a comment. */
const longestIdentifier = 40;

function addReference(walk: Walk, { identifier }: Association, around: Around): Around {
  if (identifier.length <= longestIdentifier) {
    walk.references.add(identifier);
  }
  return around;
}

function addExpression(walk: Walk, node: MdxFlowExpression | MdxTextExpression): undefined {
  const program = node.data?.estree;
  if (isComment(node.value)) {
    walk.addText('comment', node.value.replace(/^\s*\/[*/]\s*|\s*\*\/\s*$/g, ''), node);
  } else if (literalOf(program) === undefined) {
    walk.addCode(node, nameIn(program));
  }
}

function isComment(expression: string): boolean {
  return /^\s*(?:\/\*[\s\S]*\*\/|\/\/.*)?\s*$/.test(expression);
}

/** Components that readers see as one thing, by the kind of block that each is. */
const blockComponents: ReadonlyMap<string, BlockKind> = new Map(
  Object.entries({
    callout: 'Note Warning Info Tip Check Danger Callout',
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

const parameterNames = ['query', 'path', 'body', 'header', 'name'];
const parameterFacets = ['type', 'required', 'default', 'enum'];
const anchoredByTitle = ['Accordion', 'Expandable', 'Heading', 'Step', 'Tab', 'Update', 'View'];

function addElement(walk: Walk, node: JsxElement, around: Around): Around | undefined {
  const { name } = node;
  if (name === null) {
    return around;
  }
  const attributes = node.attributes.map(attributeOf);
  const element: Element = { kind: 'element', name, attributes, line: lineOf(node) };
  walk.constructs.push(element);
  const texts = new Map(attributes.map((one) => [one.name, textValue(one)]));
  addElementAnchors(walk, name, texts);
  for (const attribute of attributes) {
    addAddresses(walk, name, attribute, node);
  }
  const content = { ...around, within: [...around.within, element] };
  const depth = /^h([1-6])$/.exec(name)?.[1];
  if (depth !== undefined) {
    walk.addSection(node, content, Number(depth), texts.get('id'));
  }
  addPicture(walk, node, around, texts);
  const kind = blockComponents.get(name);
  if (kind === undefined) {
    return addOwnText(walk, node, content);
  }
  const { parent } = walk.addBlock(node, around, {
    kind,
    name,
    title: texts.get('title') ?? texts.get('label') ?? '',
    ...(kind === 'parameter' && parameterOf(attributes)),
  });
  const isText = kind !== 'row' && kind !== 'list-item';
  const inside = { ...content, parent };
  walk.inside(node, isText ? addOwnText(walk, node, inside) : { ...inside, isAlone: false });
  return undefined;
}

/** Text that stands in an element without a paragraph around it, as in `<Note>Text</Note>`. */
function addOwnText(walk: Walk, node: JsxElement, around: Around): Around {
  const hasText = node.children.some(({ type }) => type === 'text' || type === 'inlineCode');
  const isParagraph = hasText && plainText(node) !== '';
  if (around.isAlone && isParagraph && !/^(?:h\d|t[dh])$/.test(node.name ?? '')) {
    walk.addBlock(node, around, { kind: 'paragraph', ...quotedIn(node) });
  }
  return { ...around, isAlone: around.isAlone === true && !isParagraph };
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

type Texts = ReadonlyMap<string, string>;

function addPicture(walk: Walk, node: JsxElement, around: Around, texts: Texts): void {
  const [source, alt] = [texts.get('src'), texts.get('alt')];
  if (source && /^(?:img|video|source|iframe)$/.test(node.name ?? '')) {
    walk.addBlock(node, around, { kind: 'picture', text: source, title: alt ?? '' });
  }
  if (alt !== undefined) {
    walk.addText('alt-text', alt, node);
  }
}

function addElementAnchors(walk: Walk, element: string, texts: Texts): void {
  const id = texts.get('id') ?? (element === 'a' ? texts.get('name') : undefined);
  if (id !== undefined && !/^h\d$/.test(element)) {
    walk.addAnchors(id, cleanAnchor(id));
  }
  if (anchoredByTitle.includes(element)) {
    // Of an update, the version stands in the description.
    const names = ['title', 'label', ...(element === 'Update' ? ['description'] : [])];
    walk.addAnchors(...names.flatMap((name) => slugsOf(texts.get(name) ?? '')));
  }
  if (blockComponents.get(element) === 'parameter') {
    for (const name of parameterNames) {
      walk.addAnchors(...fieldSlugsOf(texts.get(name) ?? ''));
    }
  }
}

function addAddresses(walk: Walk, element: string, attribute: Attribute, node: Nodes): void {
  const { value, code } = attribute;
  const name = attribute.name.toLowerCase();
  if (value === undefined) {
    walk.addPaths(code, node);
  } else if (element === 'Snippet' && name === 'file') {
    const target = `/snippets/${textValue(attribute).replace(/^\/+/, '')}`;
    walk.links.push({ kind: 'import', target, line: lineOf(node) });
  } else {
    const holdsAddress =
      name === 'href' || (/^[a-z]/.test(element) && /^(?:src|poster)$/.test(name));
    for (const target of textsIn(value).filter((text) => holdsAddress || looksLikeAddress(text))) {
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

function isElement({ type }: Nodes): boolean {
  return type === 'mdxJsxTextElement' || type === 'image';
}

function isElementOrSpace(node: Nodes): boolean {
  const isSpace = node.type === 'text' && node.value.trim() === '';
  return isSpace || isElement(node) || node.type === 'mdxTextExpression';
}

function lineOf(node: Nodes): number {
  return node.position?.start.line ?? 1;
}

/** What readers see of a node, whatever its line breaks and indentation. */
function plainText(node: Nodes): string {
  return textOf(node).replace(/\s+/gu, ' ').trim();
}

/** Nodes whose children stand apart. */
const flow = ['root', 'list', 'listItem', 'blockquote', 'table', 'tableRow'];

/** Attributes of components that readers see as text. */
const shownNames = ['title', 'description', 'caption', 'label', 'tip', 'headline'];

/** What readers see of a node and all below it, without formatting. */
function textOf(node: Nodes): string {
  switch (node.type) {
    case 'text':
    case 'inlineCode':
    case 'inlineMath':
    case 'code':
      return node.value;
    case 'break':
      return '\n';
    case 'mdxTextExpression':
    case 'mdxFlowExpression':
      return isComment(node.value) ? '' : `{${node.value}}`;
    case 'mdxJsxFlowElement':
    case 'mdxJsxTextElement':
      return textOfElement(node);
    default:
      return 'children' in node
        ? node.children.map(textOf).join(flow.includes(node.type) ? ' ' : '')
        : '';
  }
}

function textOfElement({ type, attributes, children }: JsxElement): string {
  const isInline = type === 'mdxJsxTextElement';
  const shown = attributes
    .map(attributeOf)
    .filter(({ name, value }) => typeof value === 'string' && shownNames.includes(name))
    .map(({ value }) => (isInline ? ` ${value} ` : String(value)));
  const hasOnlyText = children.every((child: Nodes) => child.type === 'text');
  return [...shown, ...children.map(textOf)].join(isInline || hasOnlyText ? '' : ' ');
}

/** Where a text leads, and the code in it. */
function quotedIn(node: Nodes): Pick<Block, 'targets' | 'codes'> {
  const nodes = allIn(node);
  return {
    targets: nodes.flatMap((one) => {
      const attributes = one.type === 'mdxJsxTextElement' ? one.attributes.map(attributeOf) : [];
      const addresses = attributes.filter(({ name }) => name === 'href').map(textValue);
      return one.type === 'link' ? [one.url] : addresses;
    }),
    codes: nodes.flatMap((one) => (one.type === 'inlineCode' ? [one.value] : [])),
  };
}

/** A node and all nodes below it. */
function allIn(node: Nodes): readonly Nodes[] {
  return [node, ...('children' in node ? node.children.flatMap(allIn) : [])];
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

/** The first character of a line that nobody sees, with those around it. */
function invisibleIn(line: string): readonly string[] {
  // Most lines are plain ASCII.
  const found = /[^\t\r\x20-\x7e]/.test(line) ? invisible.exec(line.replace(joiners, '')) : null;
  return found === null ? [] : [line.slice(Math.max(found.index - 20, 0), found.index + 20)];
}
