import { isAlias, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { say } from '../sentence.ts';
import { type PageProblem, tooDeep } from './limits.ts';

export interface Field {
  readonly name: string;
  /** As compact JSON, so that two values can be compared. */
  readonly json: string;
  readonly line: number;
}

interface FrontMatter {
  readonly fields: readonly Field[];
  /** Comments of the YAML, which readers of the page never see. */
  readonly comments: readonly string[];
  readonly problem: PageProblem | undefined;
  /** The page with empty lines in place of its front matter. */
  readonly rest: string;
}

/**
 * Front matter that all parsers find: it begins in the first line of the page, and none of its lines looks like
 * a mark or contains a character that only some parsers take for the end of a line.
 */
const block =
  /^---\r?\n((?:(?!(?:---|\.\.\.|= yaml =)\s*?\n)[^\r\n\u0085\u2028\u2029]*\r?\n)*?)---[ \t]*(?=\r?\n|$)/u;

/**
 * Reads the YAML at the beginning of a page. It is a problem if parsers could disagree about what the YAML says, or
 * about where it ends.
 *
 * @param text of the page, without a byte order mark
 */
export function readFrontMatter(text: string): FrontMatter {
  const [whole = '', yaml = ''] = block.exec(text) ?? [];
  // Mintlify looks for a mark anywhere in the first line, and for a second one below it.
  const isMarked = /^.*(?:---|= yaml =)/u.test(text);
  const isToml = /^\+{3}/u.test(text);
  if (
    isToml ||
    (whole === '' && isMarked && /\n(?:---|\.\.\.|= yaml =)[ \t]*(?:\r?\n|$)/u.test(text))
  ) {
    return failed({ what: say`has front matter that can be read in two ways`, line: 1 });
  }
  // Without a second mark, no parser reads these fields. Any other text may be meant to stand below a line.
  if (/^---[ \t]*\r?\n(?:title|description):(?!.*\n---)/su.test(text)) {
    return failed({ what: say`has front matter that is not closed`, line: 1 });
  }
  const lines = new LineCounter();
  // An empty line stands for the opening mark, so that the numbers of lines are those of the page.
  const document = parseDocument(`\n${yaml.trimEnd()}`, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const lineAt = (offset = 1) => lines.linePos(offset).line;
  const [error] = [...document.errors, ...document.warnings];
  const { contents } = document;
  if (error?.code === 'RESOURCE_EXHAUSTION') {
    return failed({ what: tooDeep, line: 2, isLimit: true });
  }
  if (error !== undefined) {
    const [message = ''] = error.message.split('\n', 1);
    const what = say`has front matter that is not valid YAML: ${message}`;
    return failed({ what, line: lineAt(error.pos[0]) });
  }
  if (contents !== null && !isMap(contents)) {
    return failed({ what: say`has front matter that is no YAML mapping`, line: 2 });
  }
  const comments: unknown[] = [document.commentBefore, document.comment];
  let isUnusual = false;
  visit(document, {
    Node(_key, node) {
      comments.push(node.commentBefore, node.comment);
      isUnusual ||= isAlias(node) || node.anchor !== undefined || node.tag !== undefined;
    },
  });
  if (isUnusual) {
    const what = say`has front matter with an anchor, an alias or a tag`;
    return failed({ what, line: 2, isLimit: true });
  }
  const fields = (contents?.items ?? []).map(({ key, value }): Field => {
    const data: unknown = isNode(value) ? value.toJS(document) : null;
    return {
      name: String(key),
      json: JSON.stringify(data) ?? 'null',
      line: lineAt(isScalar(key) ? key.range?.[0] : undefined),
    };
  });
  return {
    fields,
    comments: comments.filter((one) => typeof one === 'string'),
    problem: undefined,
    rest: whole.replace(/[^\n]+/gu, '') + text.slice(whole.length),
  };
}

function failed(problem: PageProblem): FrontMatter {
  return { fields: [], comments: [], problem, rest: '' };
}
