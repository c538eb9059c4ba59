import type { Root } from 'mdast';
import { descriptionPage } from './api-description.ts';
import { codeFile } from './code-file.ts';
import { emptyPage, type Page, type PageProblem, type Sample } from './page.ts';
import { forAgentsOf } from './page-agents.ts';
import { codeOf } from './page-code.ts';
import { constantsIn } from './page-constants.ts';
import { frontMatterOf } from './page-front-matter.ts';
import { anchorsOf, headingsOf } from './page-headings.ts';
import { importsOf } from './page-imports.ts';
import { refusalOf } from './page-limits.ts';
import { linksOf } from './page-links.ts';
import { outlineOf } from './page-outline.ts';
import { svgPage } from './page-svg.ts';
import { parseMarkdown, parseMdx, takeHeadingIds } from './page-syntax.ts';
import { templateSamplesOf } from './page-template.ts';
import { proseOf, samplesOf } from './page-text.ts';

/**
 * Reads a page or a snippet, or the code in an SVG picture. It never throws: a text that does not parse
 * has a `problem`, and the rest is what can be read of it as Markdown. Its time grows with the text, for
 * hostile texts faster than that, so callers set a limit.
 *
 * @param path Where the text stands in the repository. Mintlify reads `.md` as MDX too, but files
 * such as README.md are for GitHub and may be any Markdown.
 */
export function parsePage(text: string, path: string): Page {
  if (/\.svg$/i.test(path)) {
    return svgPage(text);
  }
  if (/\.(?:json|ya?ml)$/i.test(path)) {
    return descriptionPage(text, (mdx) => parsePage(mdx, 'content.mdx'));
  }
  if (/\.(?:css|[jt]sx?)$/i.test(path)) {
    return codeFile(text);
  }
  const refusal = refusalOf(text);
  if (refusal !== undefined) {
    return { ...emptyPage, problem: refusal };
  }
  try {
    return parse(text.replace(/^\uFEFF/, ''), path);
  } catch (error) {
    return { ...emptyPage, problem: problemOf(error) };
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
    const problem = isForGitHub(path) ? undefined : problemOf(error);
    return { root: parseMarkdown(text), problem };
  }
}

const forGitHub =
  /(?:^|\/)(?:\..*|(?:agents|changelog|claude|code_of_conduct|contribut(?:e|ing)|license|readme|security|skill)\.md)$/i;

/** Whether the site does not publish the file, or does so only by accident. */
function isForGitHub(path: string): boolean {
  return path.endsWith('.md') && forGitHub.test(path);
}

function pageOf(
  root: Root,
  text: string,
  ids: ReadonlyMap<number, string>,
  problem: PageProblem | undefined,
): Page {
  const outline = outlineOf(root, text);
  const constants = constantsIn(outline.scripts);
  const frontMatter = frontMatterOf(root.children, text);
  const headings = headingsOf(outline, ids);
  return {
    problem: problem ?? frontMatter.problem,
    frontMatter: frontMatter.fields,
    headings,
    anchors: anchorsOf(outline, headings, ids),
    links: linksOf(outline, constants),
    imports: importsOf(outline),
    code: codeOf(outline, constants),
    samples: [...samplesOf(outline), ...templateSamplesOf(outline, constants)].sort(byLine),
    forAgents: forAgentsOf(outline, constants),
    prose: proseOf(outline),
  };
}

function byLine(one: Sample, other: Sample): number {
  return one.line - other.line;
}

/** The parsers' messages have a reason and a place; a stack that overflows has neither. */
function problemOf(error: unknown): PageProblem {
  if (!(error instanceof Error) || error instanceof RangeError) {
    return { what: 'is nested too deeply', line: undefined };
  }
  const message =
    'reason' in error && typeof error.reason === 'string' ? error.reason : error.message;
  const reason = message.split('\n', 1)[0] ?? '';
  return { what: `is not valid MDX: ${reason}`, line: lineIn(error, reason) };
}

/** An element that is not closed has its line in the words only: `… for \`<div>\` (12:1-12:6)`. */
function lineIn(error: Error, reason: string): number | undefined {
  if ('line' in error && typeof error.line === 'number') {
    return error.line;
  }
  const line = /\((\d+):\d+/.exec(reason)?.[1];
  return line === undefined ? undefined : Number(line);
}
