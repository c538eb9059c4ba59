import type { Root } from 'mdast';
import type { Page, PageProblem } from './page.ts';
import { forAgentsOf } from './page-agents.ts';
import { codeOf } from './page-code.ts';
import { constantsIn } from './page-constants.ts';
import { frontMatterOf } from './page-front-matter.ts';
import { anchorsOf, headingsOf } from './page-headings.ts';
import { importsOf } from './page-imports.ts';
import { refusalOf } from './page-limits.ts';
import { linksOf } from './page-links.ts';
import { outlineOf } from './page-outline.ts';
import { parseMarkdown, parseMdx, takeHeadingIds } from './page-syntax.ts';
import { proseOf, samplesOf } from './page-text.ts';

/**
 * Reads a page or a snippet. It never throws: a text that does not parse has a `problem`, and the
 * rest is what can be read of it as Markdown. Its time grows with the text, for hostile texts faster
 * than that, so callers set a limit.
 *
 * @param path Where the text stands in the repository; a `.md` file need not be MDX.
 */
export function parsePage(text: string, path: string): Page {
  const refusal = refusalOf(text);
  if (refusal !== undefined) {
    return empty(refusal);
  }
  try {
    return parse(text.replace(/^\uFEFF/, ''), path);
  } catch (error) {
    return empty(problemOf(error, path));
  }
}

function parse(text: string, path: string): Page {
  const headings = takeHeadingIds(text);
  const { root, problem } = rootOf(headings.text, path);
  return pageOf(root, headings.text, headings.ids, problem);
}

function rootOf(text: string, path: string): { root: Root; problem: PageProblem | undefined } {
  try {
    return { root: parseMdx(text), problem: undefined };
  } catch (error) {
    return { root: parseMarkdown(text), problem: problemOf(error, path) };
  }
}

function pageOf(
  root: Root,
  text: string,
  ids: ReadonlyMap<number, string>,
  problem: PageProblem | undefined,
): Page {
  const outline = outlineOf(root, text);
  const constants = constantsIn(outline.scripts);
  const frontMatter = frontMatterOf(root.children);
  const headings = headingsOf(outline, ids);
  return {
    problem: problem ?? frontMatter.problem,
    frontMatter: frontMatter.fields,
    headings,
    anchors: anchorsOf(outline, headings),
    links: linksOf(outline, constants),
    imports: importsOf(outline),
    code: codeOf(outline, constants),
    samples: samplesOf(outline),
    forAgents: forAgentsOf(outline),
    prose: proseOf(outline),
  };
}

/** The parsers' messages have a reason and a place; a stack that overflows has neither. */
function problemOf(error: unknown, _path: string): PageProblem {
  if (!(error instanceof Error) || error instanceof RangeError) {
    return { what: 'is nested too deeply', line: undefined };
  }
  const reason =
    'reason' in error && typeof error.reason === 'string' ? error.reason : error.message;
  const line = 'line' in error && typeof error.line === 'number' ? error.line : undefined;
  return { what: `is not valid MDX: ${reason.split('\n', 1)[0] ?? ''}`, line };
}

function empty(problem: PageProblem): Page {
  return {
    problem,
    frontMatter: [],
    headings: [],
    anchors: [],
    links: [],
    imports: [],
    code: [],
    samples: [],
    forAgents: [],
    prose: [],
  };
}
