import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mathFromMarkdown } from 'mdast-util-math';
import { mdxFromMarkdown } from 'mdast-util-mdx';
import type { Options } from 'micromark';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfm } from 'micromark-extension-gfm';
import { math } from 'micromark-extension-math';
import { mdxjs } from 'micromark-extension-mdxjs';

/** Mintlify reads no other: what stands between `+++` is a part of the page. */
const frontMatterKinds = ['yaml' as const];
const shared = [withoutEmails(gfm()), frontmatter(frontMatterKinds)];
/** Without the second search for addresses in all texts: it takes a tenth of the time and adds next to none. */
const gfmTree = gfmFromMarkdown().map(({ transforms: _transforms, ...extension }) => extension);
const sharedFromMarkdown = [...gfmTree, frontmatterFromMarkdown(frontMatterKinds)];
/** With formulas between dollars, as Mintlify reads them: their braces are no expressions. */
const mdxSyntax = [mdxjs(), ...shared, math()];
const mdxTree = [mdxFromMarkdown(), mathFromMarkdown(), ...sharedFromMarkdown];

/** Throws the parser's message, which may have a line, for a text that is not valid MDX. */
export function parseMdx(text: string): Root {
  return fromMarkdown(text, { extensions: mdxSyntax, mdastExtensions: mdxTree });
}

/** Markdown with HTML accepts every text. */
export function parseMarkdown(text: string): Root {
  return fromMarkdown(text, { extensions: shared, mdastExtensions: sharedFromMarkdown });
}

type Extension = NonNullable<Options['extensions']>[number];

/**
 * GitHub's extensions without email addresses that nobody marked as a link. They would be tried at
 * every letter, which takes a fifth of the time, and no rule asks where an email goes.
 */
function withoutEmails(extension: Extension): Extension {
  const text = Object.entries(extension.text ?? {}).flatMap(([code, constructs]) => {
    const kept = [constructs ?? []].flat().filter(({ name }) => name !== 'emailAutolink');
    return kept.length === 0 ? [] : [[code, kept] as const];
  });
  return { ...extension, text: Object.fromEntries(text) };
}

export interface HeadingIds {
  /** The text with spaces where the ids stood, so that lines and offsets stay as they are. */
  readonly text: string;
  /** Ids as they are written, by line. */
  readonly ids: ReadonlyMap<number, string>;
}

/**
 * Mintlify takes `## Title {#id}` out of the text before it reads the braces as an expression. Only words
 * are taken for ids here, since anything else could be code.
 */
export function takeHeadingIds(text: string): HeadingIds {
  if (!text.includes('#')) {
    return { text, ids: new Map() };
  }
  const ids = new Map<number, string>();
  let fence: string | undefined;
  const lines = text.split('\n').map((line, index) => {
    const marks = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      fence = isClosing(line, fence) ? undefined : fence;
      return line;
    }
    fence = marks;
    const start = marks === undefined ? startOfId(line) : -1;
    if (start < 0) {
      return line;
    }
    const end = line.lastIndexOf('}') + 1;
    ids.set(index + 1, line.slice(line.indexOf('#', start) + 1, end - 1).trim());
    return line.slice(0, start) + ' '.repeat(end - start) + line.slice(end);
  });
  return { text: lines.join('\n'), ids };
}

function startOfId(line: string): number {
  if (!/^ {0,3}#{1,6}\s/.test(line) || !line.trimEnd().endsWith('}')) {
    return -1;
  }
  const start = line.lastIndexOf('{');
  return start > 0 && /^\{\s*#[\p{L}\p{M}\p{N}_.:\u2019-]+\s*\}\s*$/u.test(line.slice(start))
    ? start
    : -1;
}

function isClosing(line: string, fence: string): boolean {
  const marks = line.trim();
  return marks.length >= fence.length && marks === fence.charAt(0).repeat(marks.length);
}

/** Ten times the largest page that people write, and small enough that parsing ends within seconds. */
const mostBytes = 500_000;
/** The time for a paragraph grows with the square of its length. */
const longestLine = 50_000;

/** Markdown allows any depth, and parsers take quadratic time for it; real pages stay below ten. */
const mostContainers = 50;
const mostIndentColumns = 150;

const marker = /[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$))/y;
const indentBeforeMarker = /^[ \t]{150,}(?:>|(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$))/;

/** Says why a text must not be given to the parser; `undefined` for one that may. */
export function refusalOf(text: string): { what: string; line: number | undefined } | undefined {
  if (Buffer.byteLength(text) > mostBytes) {
    return { what: 'is larger than 500 kB', line: undefined };
  }
  let line = 0;
  for (const content of text.split('\n')) {
    line += 1;
    if (content.length > longestLine) {
      return { what: `has a line of more than ${longestLine} characters`, line };
    }
    if (isTooDeep(content)) {
      return { what: 'is nested too deeply', line };
    }
  }
  return undefined;
}

function isTooDeep(line: string): boolean {
  let containers = 0;
  marker.lastIndex = 0;
  while (marker.test(line)) {
    containers += 1;
    if (containers > mostContainers) {
      return true;
    }
  }
  return line.length > mostIndentColumns && indentBeforeMarker.test(line);
}
