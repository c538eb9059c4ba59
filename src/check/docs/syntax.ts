import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mathFromMarkdown } from 'mdast-util-math';
import { mdxFromMarkdown } from 'mdast-util-mdx';
import { gfm } from 'micromark-extension-gfm';
import { math } from 'micromark-extension-math';
import { mdxjs } from 'micromark-extension-mdxjs';
import { say } from '../sentence.ts';
import { type PageProblem, tooDeep } from './limits.ts';
import type { NameUse } from './scope.ts';

/** The parser would look for an email address at every letter, and no rule asks where such an address leads. */
const withoutEmails = { disable: { null: ['emailAutolink'] } };
const shared = [gfm(), withoutEmails];
/** Leaves out the second search for addresses in texts, which takes a tenth of the time and finds next to nothing. */
const sharedTree = gfmFromMarkdown().map(({ transforms: _transforms, ...extension }) => extension);
/** Mintlify reads formulas between dollars: their braces are no expressions. */
const mdxSyntax = [mdxjs(), ...shared, math()];
const mdxTree = [mdxFromMarkdown(), mathFromMarkdown(), ...sharedTree];

/**
 * Throws the parser's message, which may have a line, for a text that is not valid MDX.
 *
 * @param isMarkdown whether it is Markdown with HTML instead, which accepts every text
 */
export function parse(text: string, isMarkdown: boolean): Root {
  return fromMarkdown(text, {
    extensions: isMarkdown ? shared : mdxSyntax,
    mdastExtensions: isMarkdown ? sharedTree : mdxTree,
  });
}

/** Says what a parser threw. A stack overflow is a limit of the check, and no mistake of the page. */
export function parseProblem(error: unknown): PageProblem {
  if (!(error instanceof Error) || error instanceof RangeError || isOverflowOfAcorn(error.cause)) {
    return { what: tooDeep, isLimit: true };
  }
  const [message = ''] = error.message.split('\n', 1);
  const reason = message
    .replace(/^Could not parse expression with acorn/u, 'What stands in braces is no JavaScript')
    .replace(
      /^Could not parse import\/exports with acorn/u,
      'An import or export is no JavaScript',
    );
  // If an element is not closed, only the text says where it begins: `… for \`<div>\` (12:1-12:6)`.
  const place = /\((\d+):\d+/.exec(reason)?.[1];
  const line = 'line' in error && typeof error.line === 'number' ? error.line : undefined;
  return {
    what: say`is not valid MDX: ${reason}`,
    line: place === undefined ? line : Number(place),
  };
}

function isOverflowOfAcorn(cause: unknown): boolean {
  return cause instanceof Error && cause.message.startsWith('Not enough stack space');
}

const headingWithId =
  /^( {0,3}#{1,6}\s.*)(\{\s*#([\p{L}\p{M}\p{N}_.:\u2019-]{1,80})\s*\})(?=\s*$)/u;

/** What the parser gets: a page without its front matter, and without what Mintlify replaces before it reads MDX. */
export interface Body {
  readonly text: string;
  /** The ids that were taken out of its headings, by line. */
  readonly ids: ReadonlyMap<number, string>;
  /** The variables of docs.json in the text, whose braces are marked, and where each begins. */
  readonly variables: readonly (NameUse & { readonly offset: number })[];
}

/**
 * Mintlify puts the values of variables in before it reads MDX. A name can have hyphens, so that it is no
 * JavaScript. The braces of `style={{color}}` and of `${{ secrets.KEY }}` are something else.
 */
const variable =
  /(?<![$\\{])(?:(?<!=)|(?=\{\{[^{}]*-))\{\{([ \t]*[\p{L}_][\p{L}\p{N}_-]{0,80}[ \t]*)\}\}(?!\})/gu;

/**
 * Takes out of a page what Mintlify takes out before it reads the braces as expressions: variables, and ids of
 * headings such as `## Title {#id}`. Only words are taken for ids, also in samples, since anything else could be
 * code. Lines and offsets stay.
 */
export function bodyOf(text: string): Body {
  const ids = new Map<number, string>();
  const variables: Body['variables'][number][] = [];
  let start = 0;
  const lines = text.split('\n').map((whole, index) => {
    const line = index + 1;
    const withoutId = whole.replace(
      headingWithId,
      (_, heading: string, braces: string, id: string) => {
        ids.set(line, id);
        return heading + ' '.repeat(braces.length);
      },
    );
    const body = withoutId.replace(variable, (_, name: string, at: number) => {
      variables.push({ kind: 'variable', name: name.trim(), line, offset: start + at });
      return marked(marked(name));
    });
    start += whole.length + 1;
    return body;
  });
  return { text: lines.join('\n'), ids, variables };
}

/** Two characters that stand in place of braces: no text has them, and they mean nothing to a parser. */
const [opening, closing] = ['\uFDD0', '\uFDD1'];

/** Puts marks in place of the braces around an expression, because a text can have braces of its own. */
export function marked(code: string): string {
  return `${opening}${code}${closing}`;
}

export function isMarked(text: string): boolean {
  return text.includes(opening);
}

/** Puts braces in place of the marks. */
export function unmarked(text: string): string {
  return text.replaceAll(opening, '{').replaceAll(closing, '}');
}
