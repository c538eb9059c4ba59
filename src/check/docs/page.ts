import type { Nodes, Parents, Root } from 'mdast';
import type { MdxJsxFlowElement, MdxJsxTextElement } from 'mdast-util-mdx';
import { components } from './components.ts';
import { type Field, type PageProblem, readFrontMatter } from './front-matter.ts';

export type { Field, PageProblem };

import { type Literal, literalOf, moduleOf, nameIn } from './script.ts';
import { cleanAnchor, fieldSlugsOf, slugOf, slugsOf } from './slug.ts';
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
  /** Names that the page imports or declares. */
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

export type Construct =
  | Element
  /** JavaScript: an expression in braces, or exports. `name` is the value that an expression reads. */
  | (Located & { readonly kind: 'code'; readonly text: string; readonly name: string | undefined })
  | (Located & {
      readonly kind: 'import';
      readonly text: string;
      readonly names: readonly string[];
    })
  /** A comment, or a definition that nothing uses. */
  | (Located & { readonly kind: 'comment'; readonly text: string })
  | (Located & { readonly kind: 'link'; readonly target: string })
  | (Located & { readonly kind: 'link-title'; readonly text: string })
  | (Located & { readonly kind: 'alt-text'; readonly text: string })
  | (Located & { readonly kind: 'formula'; readonly text: string })
  /** Code in a sentence that names a command or an address. */
  | (Located & { readonly kind: 'inline-code'; readonly text: string })
  | (Located & { readonly kind: 'invisible'; readonly text: string })
  /** Raw HTML, in Markdown that is no page. */
  | (Located & { readonly kind: 'html'; readonly text: string })
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
    return { what: 'is nested too deeply', line: undefined };
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
  return { what: `is not valid MDX: ${reason}`, line: place === undefined ? line : Number(place) };
}

/** What a node stands in. */
interface Around {
  readonly parent: Block | undefined;
  readonly within: readonly Element[];
}

type JsxElement = MdxJsxFlowElement | MdxJsxTextElement;

/** Reads one kind of node; what it returns is the surroundings of the nodes below, `undefined` to skip them. */
type Visitor<Type extends Nodes['type']> = (
  walk: Walk,
  node: Extract<Nodes, { type: Type }>,
  around: Around,
) => Around | undefined;

/** Components that readers see as one thing, by the kind of block that each is. */
const blockComponents: ReadonlyMap<string, BlockKind> = new Map([
  ...['Note', 'Warning', 'Info', 'Tip', 'Check', 'Danger', 'Callout'].map(
    (name) => [name, 'callout'] as const,
  ),
  ...['ParamField', 'ResponseField', 'Param'].map((name) => [name, 'parameter'] as const),
  ...['Tab', 'View'].map((name) => [name, 'tab'] as const),
  ...['Accordion', 'Expandable', 'Update', 'details'].map((name) => [name, 'accordion'] as const),
  ...['Card', 'Tile'].map((name) => [name, 'card'] as const),
  ['Step', 'step'],
  ['table', 'table'],
  ['tr', 'row'],
  ['li', 'list-item'],
]);

const parameterNames = ['query', 'path', 'body', 'header', 'name'];
const anchoredByTitle = ['Accordion', 'Expandable', 'Heading', 'Step', 'Tab', 'Update', 'View'];

/** Attributes of HTML that hold an address; in a component's, only what looks like one is. */
const addressNames = ['href', 'src', 'srcset', 'poster'];

/** Attributes of components that readers see as text. */
const shownNames = ['title', 'description', 'caption', 'label', 'tip', 'headline'];

/** One walk of a page's tree, which collects everything that the rules ask about. */
class Walk {
  readonly text: string;
  readonly ids: ReadonlyMap<number, string>;
  readonly blocks: Block[] = [];
  readonly constructs: Construct[] = [];
  readonly links: Link[] = [];
  readonly anchors = new Set<string>();
  readonly names = new Set<string>();
  readonly used = new Set<string>();
  private readonly counts = new Map<string, number>();
  private readonly sections: { readonly depth: number; readonly block: Block }[] = [];

  constructor(text: string, ids: ReadonlyMap<number, string>) {
    this.text = text;
    this.ids = ids;
  }

  read(root: Root): Page {
    const yaml = root.children.find(({ type }) => type === 'yaml');
    const { fields, comments, problem } = readFrontMatter(
      yaml?.type === 'yaml' ? yaml.value : undefined,
      this.text,
    );
    if (problem !== undefined) {
      return { ...emptyPage, problem };
    }
    this.constructs.push(...comments.map((text) => ({ kind: 'comment', text, line: 1 }) as const));
    for (const [index, line] of this.text.split('\n').entries()) {
      this.checkVisible(line, index + 1);
    }
    this.below(root, { parent: undefined, within: [] });
    this.anchors.delete('');
    const { blocks, constructs, links, anchors, names } = this;
    const isUsed = (one: Construct) => !(one.kind === 'comment' && this.used.has(one.text));
    return {
      ...{ problem: undefined, frontMatter: fields, blocks, links, anchors, names },
      constructs: constructs.filter(isUsed).map(withoutMark),
    };
  }

  below(node: Parents, around: Around): void {
    for (const child of node.children) {
      this.visit(child, around);
    }
  }

  visit(node: Nodes, around: Around): void {
    const visitor = visitors[node.type] as Visitor<typeof node.type> | undefined;
    const inside = visitor === undefined ? around : visitor(this, node as never, around);
    if (inside !== undefined && 'children' in node) {
      this.below(node, inside);
    }
  }

  /** Adds a block, and returns the surroundings of what stands in it. */
  block(
    node: Nodes,
    around: Around,
    block: Pick<Block, 'kind'> & Partial<Block>,
  ): { readonly parent: Block; readonly within: readonly Element[] } {
    const added: Block = {
      ...{ name: '', title: '', targets: [], facets: {}, section: this.sections.at(-1)?.block },
      ...around,
      text: plainSpaces(textOf(node)),
      line: lineOf(node),
      ...block,
    };
    this.blocks.push(added);
    return { parent: added, within: around.within };
  }

  section(node: Nodes, around: Around, depth: number, id: string | undefined): void {
    const title = plainSpaces(textOf(node));
    while ((this.sections.at(-1)?.depth ?? 0) >= depth) {
      this.sections.pop();
    }
    const { parent } = this.block(node, around, { kind: 'section', title });
    this.sections.push({ depth, block: parent });
    const slug = id === undefined ? slugOf(title) : cleanAnchor(id);
    this.anchor(slug, ...(id === undefined ? slugsOf(title) : [id]));
  }

  /** What stands in a tab or a step has sections of its own. */
  inside(node: Parents, around: Around): void {
    const outer = [...this.sections];
    this.below(node, around);
    this.sections.splice(0, this.sections.length, ...outer);
  }

  /** Which component makes which anchor differs between versions of Mintlify: all that may be are added. */
  anchor(...slugs: readonly string[]): void {
    for (const slug of new Set(slugs)) {
      const count = (this.counts.get(slug) ?? 0) + 1;
      this.counts.set(slug, count);
      this.anchors.add(slug);
      if (count > 1) {
        this.anchors.add(`${slug}-${count - 1}`).add(`${slug}-${count}`);
      }
    }
  }

  link(kind: Link['kind'], target: string, line: number): void {
    const written = target.trim();
    if (written !== '') {
      this.links.push({ kind, target: written, line });
      if (kind !== 'import') {
        this.constructs.push({ kind: 'link', target: written, line });
      }
    }
  }

  /** Paths in code, so that it is missed if what they lead to goes. */
  pathsIn(code: string, line: number): void {
    for (const { target, isPicture } of pathsInCode(code)) {
      this.links.push({ kind: isPicture ? 'picture' : 'link', target, line });
    }
  }

  checkVisible(text: string, line: number): void {
    for (const around of invisibleIn(text)) {
      this.constructs.push({ kind: 'invisible', text: around, line });
    }
  }
}

/** A definition counts as a comment until something refers to it; the mark keeps it apart from text. */
const definitionMark = '\0';

function withoutMark(construct: Construct): Construct {
  return construct.kind === 'comment'
    ? { ...construct, text: construct.text.replace(definitionMark, '') }
    : construct;
}

const visitors: { readonly [Type in Nodes['type']]?: Visitor<Type> } = {
  heading(walk, node, around) {
    walk.section(node, around, node.depth, walk.ids.get(lineOf(node)));
    return around;
  },
  paragraph(walk, node, around) {
    if (node.children.every(isElementOrSpace) && node.children.some(isElement)) {
      return around;
    }
    walk.block(node, around, { kind: 'paragraph', targets: targetsOf(node) });
    return around;
  },
  listItem(walk, node, around) {
    const [first, ...rest] = node.children;
    if (first?.type !== 'paragraph') {
      return around;
    }
    const item = walk.block(first, around, { kind: 'list-item', targets: targetsOf(first) });
    walk.below(first, { ...around, parent: item.parent });
    for (const child of rest) {
      walk.visit(child, item);
    }
    return undefined;
  },
  table(walk, node, around) {
    const [head, ...rows] = node.children;
    const name = head?.children[0] === undefined ? '' : plainSpaces(textOf(head.children[0]));
    const table = walk.block(node, around, { kind: 'table', title: name });
    for (const cell of head?.children ?? []) {
      walk.block(cell, table, { kind: 'column' });
      walk.below(cell, table);
    }
    for (const row of rows) {
      const cells = row.children.map((cell) => plainSpaces(textOf(cell)));
      const [title = ''] = cells;
      const text = cells.join(' | ');
      walk.block(row, table, { kind: 'row', title, text, targets: targetsOf(row) });
      walk.below(row, table);
    }
    return undefined;
  },
  code(walk, node, around) {
    const line = lineOf(node);
    const [language, meta] = [node.lang ?? '', node.meta ?? ''];
    walk.block(node, around, { kind: 'sample', name: language, text: node.value });
    walk.constructs.push({ kind: 'sample', language, meta, text: node.value, line });
    return undefined;
  },
  image(walk, node, around) {
    const line = lineOf(node);
    walk.block(node, around, { kind: 'picture', text: node.url, title: node.alt ?? '' });
    walk.link('picture', node.url, line);
    walk.constructs.push({ kind: 'alt-text', text: node.alt ?? '', line });
    addTitle(walk, node.title, line);
    return undefined;
  },
  link(walk, node, around) {
    walk.link('link', node.url, lineOf(node));
    addTitle(walk, node.title, lineOf(node));
    return around;
  },
  definition(walk, node) {
    walk.link('link', node.url, lineOf(node));
    addTitle(walk, node.title, lineOf(node));
    const text = `${definitionMark}${node.identifier}`;
    walk.constructs.push({ kind: 'comment', text, line: lineOf(node) });
    return undefined;
  },
  footnoteDefinition(walk, node, around) {
    const text = `${definitionMark}${node.identifier}`;
    walk.constructs.push({ kind: 'comment', text, line: lineOf(node) });
    return around;
  },
  linkReference: refer,
  imageReference: refer,
  footnoteReference: refer,
  text(walk, node, around) {
    if (!walk.text.includes(node.value)) {
      walk.checkVisible(node.value, lineOf(node));
    }
    return around;
  },
  inlineCode(walk, node, around) {
    if (/[\s/]/.test(node.value)) {
      walk.constructs.push({ kind: 'inline-code', text: node.value, line: lineOf(node) });
    }
    return around;
  },
  math: addFormula,
  inlineMath: addFormula,
  html(walk, node) {
    walk.constructs.push({ kind: 'html', text: node.value, line: lineOf(node) });
    return undefined;
  },
  mdxFlowExpression: addExpression,
  mdxTextExpression: addExpression,
  mdxjsEsm(walk, node) {
    const line = lineOf(node);
    const { imports, names, hasCode } = moduleOf(node.data?.estree);
    for (const name of names) {
      walk.names.add(name);
    }
    for (const { source, names: local } of imports) {
      walk.links.push({ kind: 'import', target: source, line });
      walk.constructs.push({ kind: 'import', text: source, names: local, line });
    }
    if (hasCode) {
      walk.constructs.push({ kind: 'code', text: node.value, name: undefined, line });
      walk.pathsIn(node.value, line);
    }
    return undefined;
  },
  mdxJsxFlowElement: addElement,
  mdxJsxTextElement: addElement,
};

function refer(walk: Walk, node: { readonly identifier: string }, around: Around): Around {
  // Readers see a link's text, and not by which name it refers to its address.
  if (node.identifier.length <= longestIdentifier) {
    walk.used.add(`${definitionMark}${node.identifier}`);
  }
  return around;
}

const longestIdentifier = 40;

function addTitle(walk: Walk, title: string | null | undefined, line: number): void {
  if (title) {
    walk.constructs.push({ kind: 'link-title', text: title, line });
  }
}

function addFormula(walk: Walk, node: Nodes & { readonly value: string }): undefined {
  walk.constructs.push({ kind: 'formula', text: node.value, line: lineOf(node) });
}

function addExpression(
  walk: Walk,
  node: Extract<Nodes, { type: 'mdxFlowExpression' | 'mdxTextExpression' }>,
): undefined {
  const [line, text, program] = [lineOf(node), node.value, node.data?.estree];
  if (/^\s*(?:\/\*[\s\S]*\*\/|\/\/.*)?\s*$/.test(text)) {
    walk.constructs.push({
      kind: 'comment',
      text: text.replace(/^\s*\/[*/]\s*|\s*\*\/\s*$/g, ''),
      line,
    });
  } else if (literalOf(program) === undefined) {
    walk.constructs.push({ kind: 'code', text, name: nameIn(program), line });
    walk.pathsIn(text, line);
  }
}

function addElement(walk: Walk, node: JsxElement, around: Around): undefined {
  const { name } = node;
  if (name === null) {
    walk.below(node, around);
    return;
  }
  const line = lineOf(node);
  const attributes = node.attributes.map(attributeOf);
  const element: Element = { kind: 'element', name, attributes, line };
  walk.constructs.push(element);
  const texts = new Map(attributes.map((one) => [one.name, textValue(one)]));
  addAnchors(walk, name, texts);
  for (const attribute of attributes) {
    addAddresses(walk, name, attribute, line);
  }
  const within = { ...around, within: [...around.within, element] };
  const depth = /^h([1-6])$/.exec(name)?.[1];
  if (depth !== undefined) {
    walk.section(node, within, Number(depth), texts.get('id'));
  }
  addPicture(walk, node, around, texts);
  const kind = blockComponents.get(name);
  if (kind === undefined) {
    addText(walk, node, within);
    walk.below(node, within);
    return;
  }
  const block = { kind, name, ...nameOfBlock(kind, attributes, texts) };
  const inside = walk.block(node, around, block);
  const content = { parent: inside.parent, within: within.within };
  if (kind !== 'row' && kind !== 'list-item') {
    addText(walk, node, content);
  }
  walk.inside(node, content);
}

/** Text that stands in an element without a paragraph around it, as in `<Note>Text</Note>`. */
function addText(walk: Walk, node: JsxElement, around: Around): void {
  const isInline = node.children.some(({ type }) => type === 'text' || type === 'inlineCode');
  const isInParagraph = node.type === 'mdxJsxTextElement' && !isAlone(walk, node);
  if (
    isInline &&
    !isInParagraph &&
    plainSpaces(textOf(node)) !== '' &&
    !/^(?:h\d|t[dh])$/.test(node.name ?? '')
  ) {
    walk.block(node, around, { kind: 'paragraph', targets: targetsOf(node) });
  }
}

/** Whether nothing but elements stands on the lines of an inline element. */
function isAlone({ text }: Walk, { position }: JsxElement): boolean {
  const [start, end] = [position?.start.offset ?? 0, position?.end.offset ?? 0];
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const next = text.indexOf('\n', end);
  const after = text.slice(end, next < 0 ? undefined : next);
  return /^\s*(?:<[^<>]*>\s*)*$/.test(before) && /^\s*(?:<[^<>]*>\s*)*$/.test(after);
}

function nameOfBlock(
  kind: BlockKind,
  attributes: readonly Attribute[],
  texts: ReadonlyMap<string, string>,
): Pick<Block, 'title' | 'facets'> {
  if (kind !== 'parameter') {
    return { title: texts.get('title') ?? texts.get('label') ?? '', facets: {} };
  }
  const named = attributes.find(({ name }) => parameterNames.includes(name));
  const facets = attributes
    .filter(({ name }) => ['type', 'required', 'default', 'enum'].includes(name))
    .map(({ name, value, code }) => [name, value === undefined ? code : JSON.stringify(value)]);
  return {
    title: `${named?.name ?? ''} ${named ? textValue(named) : ''}`.trim(),
    facets: Object.fromEntries(facets),
  };
}

function addPicture(
  walk: Walk,
  node: JsxElement,
  around: Around,
  texts: ReadonlyMap<string, string>,
): void {
  const source = texts.get('src');
  if (source && ['img', 'video', 'source', 'iframe'].includes(node.name ?? '')) {
    walk.block(node, around, { kind: 'picture', text: source, title: texts.get('alt') ?? '' });
  }
  const alt = texts.get('alt');
  if (alt !== undefined) {
    walk.constructs.push({ kind: 'alt-text', text: alt, line: lineOf(node) });
  }
}

function addAnchors(walk: Walk, element: string, texts: ReadonlyMap<string, string>): void {
  const id = texts.get('id') ?? (element === 'a' ? texts.get('name') : undefined);
  if (id !== undefined && !/^h\d$/.test(element)) {
    walk.anchor(id, cleanAnchor(id));
  }
  const title = texts.get('title') ?? texts.get('label');
  if (title !== undefined && anchoredByTitle.includes(element)) {
    walk.anchor(...slugsOf(title));
  }
  if (blockComponents.get(element) === 'parameter') {
    for (const name of parameterNames) {
      walk.anchor(...fieldSlugsOf(texts.get(name) ?? ''));
    }
  }
}

function addAddresses(walk: Walk, element: string, attribute: Attribute, line: number): void {
  const name = attribute.name.toLowerCase();
  const { value, code } = attribute;
  if (value === undefined) {
    walk.pathsIn(code, line);
  } else if (element === 'Snippet' && name === 'file') {
    const target = `/snippets/${textValue(attribute).replace(/^\/+/, '')}`;
    walk.links.push({ kind: 'import', target, line });
  } else {
    const isHtml = /^[a-z]/.test(element);
    const kind = isPicture(element, name) ? 'picture' : 'link';
    for (const target of addressesOf(isHtml || name === 'href' ? name : '', value)) {
      walk.link(kind, target, line);
    }
  }
}

/** What a component of the docs' own does with an address, nobody knows. */
function isPicture(element: string, name: string): boolean {
  return components.has(element)
    ? name === 'img' || name === 'icon'
    : ['img', 'video', 'source', 'audio'].includes(element) && name !== 'href';
}

function addressesOf(name: string, value: Literal): readonly string[] {
  const texts = textsIn(value).filter(
    (text) => addressNames.includes(name) || looksLikeAddress(text),
  );
  return name === 'srcset' ? texts.flatMap((text) => text.split(/\s*,\s+|\s+[\d.]+[wx]/)) : texts;
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
  if (value === null || value === undefined || typeof value === 'string') {
    return { name, value: value ?? true, code: '' };
  }
  const literal = literalOf(value.data?.estree);
  return { name, value: literal?.value, code: literal === undefined ? value.value : '' };
}

function textValue({ value }: Attribute): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function isElement({ type }: Pick<Nodes, 'type'>): boolean {
  return type === 'mdxJsxTextElement' || type === 'image';
}

function isElementOrSpace(node: Nodes): boolean {
  return (
    isElement(node) ||
    node.type === 'mdxTextExpression' ||
    (node.type === 'text' && node.value.trim() === '')
  );
}

function lineOf(node: Nodes): number {
  return node.position?.start.line ?? 1;
}

/** Text whose line breaks and indentation do not count. */
export function plainSpaces(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

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
      return /^\s*(?:\/\*|\/\/|$)/.test(node.value) ? '' : `{${node.value}}`;
    case 'mdxJsxFlowElement':
    case 'mdxJsxTextElement':
      return [...shownTexts(node), ...node.children.map(textOf)].join(
        isInlineElement(node) ? '' : ' ',
      );
    default: {
      const isFlow = ['root', 'list', 'listItem', 'blockquote', 'table', 'tableRow'].includes(
        node.type,
      );
      return 'children' in node ? node.children.map(textOf).join(isFlow ? ' ' : '') : '';
    }
  }
}

function isInlineElement({ type, children }: JsxElement): boolean {
  return type === 'mdxJsxTextElement' || children.every((child: Nodes) => child.type === 'text');
}

function shownTexts({ attributes, type }: JsxElement): readonly string[] {
  return attributes.flatMap((attribute) =>
    attribute.type === 'mdxJsxAttribute' &&
    typeof attribute.value === 'string' &&
    shownNames.includes(attribute.name)
      ? [type === 'mdxJsxTextElement' ? ` ${attribute.value} ` : attribute.value]
      : [],
  );
}

/** Where the text of a node leads, nodes below included. */
function targetsOf(node: Nodes): readonly string[] {
  const own =
    node.type === 'link' ? [node.url] : node.type === 'mdxJsxTextElement' ? hrefOf(node) : [];
  return [...own, ...('children' in node ? node.children.flatMap(targetsOf) : [])];
}

function hrefOf({ attributes }: JsxElement): readonly string[] {
  return attributes.flatMap((one) =>
    one.type === 'mdxJsxAttribute' && one.name === 'href' && typeof one.value === 'string'
      ? [one.value]
      : [],
  );
}

/** Paths in quotes, and what a style loads. */
const pathInCode =
  /(["'`])((?:\.{0,2}\/)[^\s"'`<>${}]{1,300})\1|\burl\(\s*["']?([^\s"'()<>]{1,300})/gu;

/** What a script, a component or a style sheet leads to; nothing else is read of them. */
export function pathsInCode(code: string): readonly { target: string; isPicture: boolean }[] {
  return [...code.matchAll(pathInCode)].map(([, , quoted, loaded]) => {
    const target = quoted ?? loaded ?? '';
    return {
      target,
      isPicture: /\.(?:apng|avif|gif|ico|jpe?g|png|svg|webp|mp4|webm|mov)(?:[?#]|$)/iu.test(target),
    };
  });
}

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
