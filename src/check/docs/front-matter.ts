import { isAlias, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { type Sentence, say } from '../sentence.ts';

/** A field of the front matter. */
export interface Field {
  readonly name: string;
  /** As compact JSON, so that two values can be compared. */
  readonly json: string;
  readonly line: number;
}

/** Why a page cannot be read. */
export interface PageProblem {
  /** A clause without its subject, such as `is not valid MDX: …`; the parser's words are a quotation. */
  readonly what: Sentence;
  readonly line: number | undefined;
}

interface FrontMatter {
  readonly fields: readonly Field[];
  /** Comments in it, which readers of the page never see. */
  readonly comments: readonly string[];
  readonly problem: PageProblem | undefined;
}

/** The opening `---` is the line before the first one of the YAML. */
const linesAbove = 1;

/**
 * Reads the YAML between the first two lines of `---`. What parsers of YAML or of front matter could read
 * in two ways is a problem.
 *
 * @param yaml what stands between the marks; `undefined` for none
 * @param text of the page, without a byte order mark
 */
export function readFrontMatter(yaml: string | undefined, text: string): FrontMatter {
  if (isDoubtful(yaml, text)) {
    return failed(say`has front matter that can be read in two ways`, 1);
  }
  if (yaml === undefined) {
    return { fields: [], comments: [], problem: undefined };
  }
  const lines = new LineCounter();
  const lineAt = (offset: number) => lines.linePos(offset).line + linesAbove;
  // Pretty messages would name a line of the YAML, not of the page.
  const document = parseDocument(yaml, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const [error] = document.errors;
  const { contents } = document;
  if (error !== undefined) {
    const [message = ''] = error.message.split('\n', 1);
    return failed(say`has front matter that is not valid YAML: ${message}`, lineAt(error.pos[0]));
  }
  if (contents !== null && !isMap(contents)) {
    return failed(say`has front matter that is no YAML mapping`, 1 + linesAbove);
  }
  const comments: unknown[] = [document.commentBefore, document.comment];
  let isUnusual = false;
  visit(document, {
    Node(_key, node) {
      comments.push(node.commentBefore, node.comment);
      isUnusual ||= isAlias(node) || node.anchor !== undefined || node.tag !== undefined;
    },
    Pair(_key, { key }) {
      isUnusual ||= !isScalar(key) || key.value === '<<';
    },
  });
  if (isUnusual) {
    return failed(say`has front matter with an anchor, an alias, a tag or a merged mapping`, 2);
  }
  const fields = (contents?.items ?? []).map(({ key, value }): Field => {
    const data: unknown = isNode(value) ? value.toJS(document) : null;
    return {
      name: String(isScalar(key) ? key.value : key),
      json: JSON.stringify(data) ?? 'null',
      line: lineAt(isScalar(key) ? (key.range?.[0] ?? 0) : 0),
    };
  });
  return {
    fields,
    comments: comments.filter((one) => typeof one === 'string'),
    problem: undefined,
  };
}

function failed(what: Sentence, line: number): FrontMatter {
  return { fields: [], comments: [], problem: { what, line } };
}

/**
 * The block that the package `front-matter`, which Mintlify uses, takes out of a page; the pattern is its
 * own. It knows more marks than YAML between `---`, and may find the block or its end elsewhere.
 */
const block = /^(?:= yaml =|---)$[\s\S]*?^(?:= yaml =|---|\.\.\.)\s*$\n?/m;

function isDoubtful(yaml: string | undefined, text: string): boolean {
  const found = block.exec(text);
  if (yaml === undefined) {
    const [first = ''] = text.split(/\r?\n/, 1);
    return /= yaml =|---/.test(first) && found !== null;
  }
  // Some parsers end a line at these, and others do not.
  const hasDoubtfulBreak = /[\u0085\u2028\u2029]|\r(?!\n)/.test(yaml);
  const between = found?.[0].replace(/^---|---\s*$/g, '');
  return hasDoubtfulBreak || found?.index !== 0 || between?.trim() !== yaml.trim();
}
