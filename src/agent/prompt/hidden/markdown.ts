import { parse, postprocess, preprocess } from 'micromark';
import { gfm } from 'micromark-extension-gfm';
import { decodeString } from 'micromark-util-decode-string';
import { normalizeIdentifier } from 'micromark-util-normalize-identifier';
import { isBlank, withoutInvisible } from './invisible.ts';
import {
  hideInside,
  onEnterLink,
  onExitLink,
  readText,
  resolveReferences,
  showAgain,
} from './links.ts';
import type { Reading } from './reading.ts';
import { type Handler, nowhere, rangeOf, Walk } from './walk.ts';

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
  resolveReferences(walk);
  const [body] = walk.sections;
  return {
    cuts: walk.cuts,
    body: { start: 0, end: text.length, items: body?.items ?? [] },
    footnotes: walk.footnotes,
  };
}

const boundary: Handler = (walk, { start }) => {
  walk.brackets = [];
  walk.add({ kind: 'boundary', at: start.offset });
};
const boundaryAtEnd: Handler = (walk, { end }) => walk.add({ kind: 'boundary', at: end.offset });
const show: Handler = (walk, token) => walk.show(rangeOf(token));

const addHtmlPart: Handler = (walk, token) => walk.htmlParts.push(rangeOf(token));

function endHtml(isBlock: boolean): Handler {
  return (walk, token) => {
    const meetsText = !isBlock || walk.lists > 0;
    walk.add({ kind: 'html', parts: walk.htmlParts, isBlock, meetsText });
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

/** Paragraphs of a list may stand without tags. */
function countLists(change: number, handle: Handler): Handler {
  return (walk, token, context) => {
    walk.lists += change;
    handle(walk, token, context);
  };
}

/** Blocks that the renderer puts between tags of its own. */
const blocks = [
  'atxHeading',
  'blockQuote',
  'codeFenced',
  'codeIndented',
  'paragraph',
  'setextHeading',
  'table',
  'thematicBreak',
] as const;

const lists = ['listOrdered', 'listUnordered'] as const;

const shown = [
  'autolinkEmail',
  'autolinkProtocol',
  'characterEscape',
  'codeTextData',
  'literalAutolink',
] as const;

/** Constructs that hold strings, which are not rendered as Markdown. */
const strings = ['gfmFootnoteDefinitionLabel', 'tableDelimiterRow'] as const;

function forAll(types: readonly string[], handler: Handler): Record<string, Handler> {
  return Object.fromEntries(types.map((type) => [type, handler]));
}

const onEnter: Readonly<Record<string, Handler>> = {
  ...forAll(blocks, boundary),
  ...forAll(shown, show),
  ...forAll(strings, hideInside),
  ...forAll(lists, countLists(1, boundary)),
  listItemPrefix: boundary,
  characterReference: readReference,
  data: readText,
  htmlFlowData: addHtmlPart,
  htmlTextData: addHtmlPart,
  codeFencedFence: hideInside,
  codeFencedFenceInfo: (walk, token) => {
    walk.fenceInfo = rangeOf(token);
  },
  ...onEnterLink,
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
  ...forAll(lists, countLists(-1, boundaryAtEnd)),
  ...forAll(strings, showAgain),
  htmlFlow: endHtml(true),
  htmlText: endHtml(false),
  codeFencedFence: endFence,
  ...onExitLink,
  tableHead: (walk) => {
    walk.columns = walk.column;
  },
  tableHeader: endCell,
  tableData: endCell,
  gfmFootnoteDefinition: endFootnote,
};
