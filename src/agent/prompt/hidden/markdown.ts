import { parse, postprocess, preprocess } from 'micromark';
import { gfm } from 'micromark-extension-gfm';
import { decodeString } from 'micromark-util-decode-string';
import { normalizeIdentifier } from 'micromark-util-normalize-identifier';
import type { Cut, HiddenKind, Range } from './cut.ts';
import { emptyComment, emptyTag } from './cut.ts';
import { isBlank, withoutInvisible } from './invisible.ts';
import { isLetThrough } from './tags.ts';

/** What matters of a document beside its words, in the order in which it is rendered. */
export type Item =
  | { readonly kind: 'html'; readonly parts: readonly Range[]; readonly isBlock: boolean }
  /** Here the renderer puts in tags of its own: one block ends, or another begins. */
  | { readonly kind: 'boundary'; readonly at: number }
  /** A footnote, which is rendered elsewhere. */
  | { readonly kind: 'gap'; readonly start: number; readonly end: number }
  | { readonly kind: 'call'; readonly note: string; readonly label: Range };

/** The document without its footnotes, or one footnote: what is rendered in one piece. */
export interface Section extends Range {
  readonly items: readonly Item[];
}

export interface Footnote extends Section {
  readonly id: string;
  readonly label: Range;
  /** The footnote with its label. */
  readonly whole: Range;
}

/** A Markdown document, read for what its rendering does not show. */
export interface Reading {
  /** What Markdown itself hides. */
  readonly cuts: readonly Cut[];
  readonly body: Section;
  /** In the order of the source; of those with the same label only the first is ever shown. */
  readonly footnotes: readonly Footnote[];
}

type Event = ReturnType<typeof postprocess>[number];
type Token = Event[1];
type Context = Event[2];

/**
 * Reads a document as GitHub does, as far as hidden parts go; HTML is left for later.
 *
 * @param dialect the text as the parser is to read it, of the same length
 */
export function readMarkdown(text: string, dialect = text): Reading {
  const walk = new Walk(text);
  const parser = parse({ extensions: [gfm()] });
  for (const [step, token, context] of postprocess(
    parser.document().write(preprocess()(dialect, undefined, true)),
  )) {
    const handlers = step === 'enter' ? onEnter : onExit;
    handlers[token.type]?.(walk, token, context);
  }
  return walk.finish();
}

type Handler = (walk: Walk, token: Token, context: Context) => void;

/** A link or image that is being read. */
interface Link {
  readonly isImage: boolean;
  /** Whether all of it is hidden by what it stands in. */
  readonly isHidden: boolean;
  isInText: boolean;
  hasText: boolean;
  text: Range;
  /** `[label]` or `[]` behind the text. */
  reference?: Range;
  /** The label that leads to a definition, as written. */
  label: string;
  hasResource: boolean;
  destination?: Range;
  title?: Range;
}

/** A definition that is being read. */
interface Definition {
  id: string;
  destination: Range;
  title?: Range;
}

/** What stands for a label, once all definitions are known. */
interface Reference extends Range {
  readonly id: string;
  readonly isImage: boolean;
  readonly hidesLabel: boolean;
}

interface OpenSection {
  start: number;
  id: string;
  label: Range;
  readonly items: Item[];
}

/** Characters that addresses may always add; beyond that they may double a text, and no more. */
const smallDocument = 10_000;

const nowhere: Range = { start: 0, end: 0 };

/** What is known on the way through a document. */
class Walk {
  readonly text: string;
  readonly cuts: Cut[] = [];
  readonly links: Link[] = [];
  readonly sections: OpenSection[] = [{ start: 0, id: '', label: nowhere, items: [] }];
  readonly footnotes: Footnote[] = [];
  readonly references: Reference[] = [];
  readonly definitions: (Definition & Range)[] = [];
  definition: Definition = { id: '', destination: nowhere };
  /** How many constructs are open whose inside is not rendered as Markdown. */
  unrendered = 0;
  /** Brackets in the text of this block that no link has used. */
  brackets = 0;
  readonly looseLabels: (Range & { readonly id: string })[] = [];
  htmlParts: Range[] = [];
  fenceInfo: Range | undefined;
  columns = 0;
  column = 0;

  constructor(text: string) {
    this.text = text;
  }

  slice({ start, end }: Range): string {
    return this.text.slice(start, end);
  }

  cut(range: Range, kind?: HiddenKind, standIn = ''): void {
    if (range.start < range.end || standIn !== '') {
      this.cuts.push({ ...range, place: 'exact', standIn, ...(kind && { kind }) });
    }
  }

  add(item: Item): void {
    if (this.unrendered === 0) {
      this.sections.at(-1)?.items.push(item);
    }
  }

  /** Something that a reader sees. */
  show(range: Range): void {
    const link = this.links.at(-1);
    if (link?.isInText === true && !link.hasText) {
      link.hasText = !isBlank(this.slice(range));
    }
  }

  showImage(): void {
    const link = this.links.at(-1);
    if (link?.isInText === true) {
      link.hasText = true;
    }
  }

  finish(): Reading {
    const [body] = this.sections;
    this.resolveReferences();
    return {
      cuts: this.cuts,
      body: { start: 0, end: this.text.length, items: body?.items ?? [] },
      footnotes: this.footnotes,
    };
  }

  /**
   * Writes the address of each reference behind its text, and takes all definitions out: their
   * labels and titles are seen by nobody.
   */
  resolveReferences(): void {
    const known = new Map(this.definitions.toReversed().map((found) => [found.id, found]));
    const used = this.#addAddresses(known);
    for (const { id, ...label } of this.looseLabels) {
      if (known.has(id)) {
        this.cut(label, 'label');
      }
    }
    for (const definition of this.definitions) {
      const { start, end } = definition;
      const kind = definitionKind(definition, used.has(definition));
      this.cuts.push({ start, end, place: 'block', standIn: emptyComment, ...(kind && { kind }) });
    }
  }

  #addAddresses(known: ReadonlyMap<string, Definition>): ReadonlySet<Definition> {
    const used = new Set<Definition>();
    let roomLeft = this.text.length + smallDocument;
    for (const { id, isImage, hidesLabel, start, end } of this.references) {
      const definition = known.get(id);
      if (definition !== undefined) {
        used.add(definition);
        const address = this.#shownAddress(definition.destination, isImage);
        roomLeft -= address.length;
        this.cut({ start, end }, hidesLabel ? 'label' : undefined, `(${address})`);
      }
    }
    if (roomLeft < 0) {
      throw new RangeError('References to long addresses make the text longer than twice itself.');
    }
    return used;
  }

  #shownAddress(destination: Range, isImage: boolean): string {
    const address = this.slice(destination);
    return isAddressShown(address, isImage) ? address : '';
  }
}

function definitionKind({ title }: Definition, isUsed: boolean): HiddenKind | undefined {
  if (isUsed) {
    return title === undefined ? undefined : 'title';
  }
  return 'definition';
}

function isAddressShown(written: string, isImage: boolean): boolean {
  const address = decodeString(written.replace(/^<|>$/g, ''));
  return isLetThrough(address, isImage ? 'image' : 'link');
}

function rangeOf({ start, end }: Token): Range {
  return { start: start.offset, end: end.offset };
}

const boundary: Handler = (walk, { start }) => {
  walk.brackets = 0;
  walk.add({ kind: 'boundary', at: start.offset });
};
const boundaryAtEnd: Handler = (walk, { end }) => walk.add({ kind: 'boundary', at: end.offset });
const show: Handler = (walk, token) => walk.show(rangeOf(token));

/** What would belong to a link, behind its text in brackets. */
const looseResource = /\(\s*(?:<[^<>\n]*>|\S+)(\s+(?:"[^"]*"|'[^']*'|\([^()]*\))\s*)\)/y;
const looseLabel = /\[([^[\]]+)\]/y;

/**
 * Brackets that make no link here may make one on GitHub, which has its own view of links inside
 * links and of addresses with brackets: a title or label is taken out all the same.
 */
const readText: Handler = (walk, token) => {
  const { start, end } = rangeOf(token);
  walk.show({ start, end });
  for (let at = start; walk.unrendered === 0 && at < end; at += 1) {
    const character = walk.text.charAt(at);
    if (character === '[') {
      walk.brackets += 1;
    } else if (character === ']' && walk.brackets > 0) {
      walk.brackets -= 1;
      readLoose(walk, at + 1);
    }
  }
};

function readLoose(walk: Walk, at: number): void {
  looseResource.lastIndex = at;
  const [resource, title] = looseResource.exec(walk.text) ?? [];
  if (resource !== undefined && title !== undefined) {
    const end = at + resource.length - 1;
    walk.cut({ start: end - title.length, end }, 'title');
    return;
  }
  looseLabel.lastIndex = at;
  const label = looseLabel.exec(walk.text)?.[1];
  if (label !== undefined) {
    const range = { start: at + 1, end: at + 1 + label.length };
    walk.looseLabels.push({ ...range, id: normalizeIdentifier(label) });
  }
}

const hideInside: Handler = (walk) => {
  walk.unrendered += 1;
};
const showAgain: Handler = (walk) => {
  walk.unrendered -= 1;
};

function beginLink(walk: Walk, isImage: boolean): void {
  if (isImage) {
    walk.showImage();
  }
  walk.links.push({
    isImage,
    isHidden: walk.unrendered > 0,
    isInText: false,
    hasText: false,
    hasResource: false,
    text: nowhere,
    label: '',
  });
  walk.unrendered += isImage ? 1 : 0;
}

const endLink: Handler = (walk, token) => {
  const link = walk.links.pop();
  walk.unrendered -= link?.isImage === true ? 1 : 0;
  if (link === undefined || link.isHidden) {
    return;
  }
  if (!link.isImage && !link.hasText) {
    walk.cuts.push({ ...rangeOf(token), place: 'inline', standIn: emptyTag, kind: 'link' });
    return;
  }
  if (link.isImage) {
    walk.cut(link.text, 'description');
  }
  if (!link.hasResource) {
    const { start, end } = link.reference ?? { start: token.end.offset, end: token.end.offset };
    const hidesLabel = end - start > 2;
    const id = normalizeIdentifier(link.label);
    walk.references.push({ id, isImage: link.isImage, hidesLabel, start, end });
    return;
  }
  cutResource(walk, link, token.end.offset - 1);
};

function cutResource(walk: Walk, { destination, title, isImage }: Link, close: number): void {
  if (destination !== undefined && !isAddressShown(walk.slice(destination), isImage)) {
    walk.cut(destination, 'address');
  }
  if (title !== undefined && destination !== undefined) {
    walk.cut({ start: destination.end, end: close }, 'title');
  }
}

/** Does something with the link or image that is being read. */
function withLink(handle: (link: Link, token: Token, context: Context) => void): Handler {
  return (walk, token, context) => {
    const link = walk.links.at(-1);
    if (link !== undefined) {
      handle(link, token, context);
    }
  };
}

const startLinkText: Handler = withLink((link, token, context) => {
  link.isInText = true;
  link.text = rangeOf(token);
  link.label = context.sliceSerialize(token);
});

const endLinkText: Handler = withLink((link) => {
  link.isInText = false;
});

const addHtmlPart: Handler = (walk, token) => walk.htmlParts.push(rangeOf(token));

function endHtml(isBlock: boolean): Handler {
  return (walk, token) => {
    walk.add({ kind: 'html', parts: walk.htmlParts, isBlock });
    walk.htmlParts = [];
    walk.show(rangeOf(token));
  };
}

/** A language as GitHub's highlighter names them; longer words are no language. */
const language = /^[\w+#.-]{0,30}(?![\w+#.-])/;

const endFence: Handler = (walk, token) => {
  walk.unrendered -= 1;
  const info = walk.fenceInfo;
  walk.fenceInfo = undefined;
  if (info !== undefined && walk.unrendered === 0) {
    const named = language.exec(walk.slice(info))?.[0] ?? '';
    const note = { start: info.start + named.length, end: token.end.offset };
    walk.cut(note, isBlank(walk.slice(note)) ? undefined : 'note');
  }
};

const readReference: Handler = (walk, token) => {
  if (walk.unrendered === 0 && withoutInvisible(decodeString(walk.slice(rangeOf(token)))) === '') {
    walk.cut(rangeOf(token), 'invisible');
  } else {
    walk.show(rangeOf(token));
  }
};

/** Cells beyond those of the head are not rendered. */
const startCell: Handler = (walk, token, context) => {
  walk.column += 1;
  if (walk.column > walk.columns) {
    walk.unrendered += 1;
  }
  boundary(walk, token, context);
};

const endCell: Handler = (walk, token, context) => {
  boundaryAtEnd(walk, token, context);
  if (walk.column > walk.columns) {
    walk.unrendered -= 1;
    const cell = walk.slice(rangeOf(token)).replaceAll('|', '');
    walk.cut(rangeOf(token), isBlank(cell) ? undefined : 'cell');
  }
};

const startFootnote: Handler = (walk, token) => {
  walk.add({ kind: 'gap', ...rangeOf(token) });
  walk.sections.push({ start: token.start.offset, id: '', label: nowhere, items: [] });
};

const endFootnote: Handler = (walk, token) => {
  const section = walk.sections.pop();
  if (section !== undefined) {
    walk.footnotes.push({ ...section, end: token.end.offset, whole: rangeOf(token) });
  }
};

const readFootnoteLabel: Handler = (walk, token, context) => {
  const section = walk.sections.at(-1);
  if (section !== undefined) {
    section.id = normalizeIdentifier(context.sliceSerialize(token));
    section.label = rangeOf(token);
    // Behind the bracket and the colon.
    section.start = token.end.offset + 2;
  }
};

const readCall: Handler = (walk, token, context) => {
  const note = normalizeIdentifier(context.sliceSerialize(token));
  walk.add({ kind: 'call', note, label: rangeOf(token) });
  walk.show(rangeOf(token));
};

/** Blocks that the renderer puts between tags of its own. */
const blocks = [
  'atxHeading',
  'blockQuote',
  'codeFenced',
  'codeIndented',
  'listOrdered',
  'listUnordered',
  'paragraph',
  'setextHeading',
  'table',
  'thematicBreak',
] as const;

const shown = [
  'autolinkEmail',
  'autolinkProtocol',
  'characterEscape',
  'codeTextData',
  'literalAutolink',
] as const;

/** Constructs that hold strings, which are not rendered as Markdown. */
const strings = [
  'definition',
  'gfmFootnoteDefinitionLabel',
  'reference',
  'resource',
  'tableDelimiterRow',
] as const;

function forAll(types: readonly string[], handler: Handler): Record<string, Handler> {
  return Object.fromEntries(types.map((type) => [type, handler]));
}

const onEnter: Readonly<Record<string, Handler>> = {
  ...forAll(blocks, boundary),
  ...forAll(shown, show),
  ...forAll(strings, hideInside),
  listItemPrefix: boundary,
  characterReference: readReference,
  data: readText,
  htmlFlowData: addHtmlPart,
  htmlTextData: addHtmlPart,
  codeFencedFence: hideInside,
  codeFencedFenceInfo: (walk, token) => {
    walk.fenceInfo = rangeOf(token);
  },
  link: (walk) => beginLink(walk, false),
  image: (walk) => beginLink(walk, true),
  labelText: startLinkText,
  reference: (walk, token, context) => {
    walk.unrendered += 1;
    withLink((link) => {
      link.reference = rangeOf(token);
    })(walk, token, context);
  },
  referenceString: withLink((link, token, context) => {
    link.label = context.sliceSerialize(token);
  }),
  resource: (walk, token, context) => {
    walk.unrendered += 1;
    withLink((link) => {
      link.hasResource = true;
    })(walk, token, context);
  },
  resourceDestination: withLink((link, token) => {
    link.destination = rangeOf(token);
  }),
  resourceTitle: withLink((link, token) => {
    link.title = rangeOf(token);
  }),
  definition: (walk) => {
    walk.unrendered += 1;
    walk.definition = { id: '', destination: nowhere };
  },
  definitionLabelString: ({ definition }, token, context) => {
    definition.id = normalizeIdentifier(context.sliceSerialize(token));
  },
  definitionDestination: ({ definition }, token) => {
    definition.destination = rangeOf(token);
  },
  definitionTitle: ({ definition }, token) => {
    definition.title = rangeOf(token);
  },
  tableHead: (walk) => {
    walk.columns = Number.POSITIVE_INFINITY;
  },
  tableRow: (walk) => {
    walk.column = 0;
  },
  tableHeader: startCell,
  tableData: startCell,
  gfmFootnoteDefinition: startFootnote,
  gfmFootnoteDefinitionLabelString: readFootnoteLabel,
  gfmFootnoteCallString: readCall,
};

const onExit: Readonly<Record<string, Handler>> = {
  ...forAll(blocks, boundaryAtEnd),
  ...forAll(strings, showAgain),
  htmlFlow: endHtml(true),
  htmlText: endHtml(false),
  codeFencedFence: endFence,
  link: endLink,
  image: endLink,
  labelText: endLinkText,
  definition: (walk, token) => {
    walk.unrendered -= 1;
    walk.definitions.push({ ...walk.definition, ...rangeOf(token) });
  },
  tableHead: (walk) => {
    walk.columns = walk.column;
  },
  tableHeader: endCell,
  tableData: endCell,
  gfmFootnoteDefinition: endFootnote,
};
