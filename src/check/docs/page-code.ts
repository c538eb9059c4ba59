import type { CodeKind, CodePassage } from './page.ts';
import { dangerOfProgram, dangerOfStatement, declaredIn } from './page-danger.ts';
import { lineOf, type Outline, type Script, startOffset } from './page-outline.ts';
import { bodyOf, type Constants, children, endOf, foldString, startOf } from './page-script.ts';
import { type Attribute, attributeOf, type Tag } from './page-tag.ts';
import { isScriptUrl, isTextAttribute } from './page-url.ts';
import { isVideoPlayer } from './page-video.ts';

interface Found extends CodePassage {
  readonly start: number;
  readonly end: number;
}

/** The parts of a page that the site or the reader's browser would execute; see `CodeKind`. */
export function codeOf(outline: Outline, constants: Constants): readonly CodePassage[] {
  const declared = declaredIn(outline.scripts.map(({ program }) => program));
  const found = [
    ...outline.tags.flatMap((tag) => codeOfTag(outline, tag, constants)),
    ...outline.scripts.flatMap((script) => codeOfScript(outline, script, declared)),
    ...scriptLinks(outline),
  ];
  return withoutInner(found).map(({ text, line, kind }) => ({ text, line, kind }));
}

function codeOfTag(outline: Outline, tag: Tag, constants: Constants): readonly Found[] {
  const { text } = outline;
  const kind = kindOfTag(tag, constants);
  const { start, end, line } = tag;
  const whole = kind === 'script' ? text.slice(start, end) : openingOf(text, tag);
  return [
    ...(kind === undefined
      ? []
      : [{ kind, text: whole, line, start, end: kind === 'script' ? end : start }]),
    ...tag.attributes.flatMap((attribute): readonly Found[] => {
      const danger = kindOfAttribute(tag, attribute, constants);
      return danger === undefined ? [] : [{ kind: danger, ...passageOf(outline, attribute) }];
    }),
  ];
}

const framing = new Set([
  'iframe',
  'object',
  'embed',
  'applet',
  'frame',
  'frameset',
  'portal',
  'fencedframe',
]);

/** A capital letter makes a component of a name in MDX: `<Frame>` is no `<frame>`. */
function kindOfTag(tag: Tag, constants: Constants): CodeKind | undefined {
  const { name } = tag;
  if (name === 'script') {
    return 'script';
  }
  if (framing.has(name)) {
    return isVideoPlayer(tag, constants) ? undefined : 'frame';
  }
  const isDocument =
    name === 'base' ||
    name === 'link' ||
    (name === 'meta' && attributeOf(tag, 'http-equiv') !== undefined);
  return isDocument ? 'document' : undefined;
}

function kindOfAttribute(
  tag: Tag,
  attribute: Attribute,
  constants: Constants,
): CodeKind | undefined {
  const { name } = attribute;
  const isElement = /^[a-z]/.test(tag.name);
  if (/^on[A-Z]/.test(name) || (isElement && /^on[a-z]{3}/i.test(name))) {
    return 'handler';
  }
  if (name === 'dangerouslySetInnerHTML' || name.toLowerCase() === 'srcdoc') {
    return 'raw-html';
  }
  const value = attribute.value ?? foldString(bodyOf(attribute.expression), constants);
  return value !== undefined && !isTextAttribute(name) && isScriptUrl(value)
    ? 'script-url'
    : undefined;
}

function codeOfScript(
  outline: Outline,
  script: Script,
  declared: ReadonlySet<string>,
): readonly Found[] {
  if (script.kind !== 'esm') {
    const kind = dangerOfProgram(script.program, declared);
    return kind === undefined ? [] : [{ kind, ...passageOf(outline, script) }];
  }
  return children(script.program, 'body').flatMap((statement): readonly Found[] => {
    const kind = dangerOfStatement(statement, declared);
    const range = { start: startOf(statement), end: endOf(statement) };
    return kind === undefined ? [] : [{ kind, ...passageOf(outline, range) }];
  });
}

function scriptLinks({ nodes, text }: Outline): readonly Found[] {
  return nodes.flatMap((node): readonly Found[] => {
    const isLink = node.type === 'link' || node.type === 'image' || node.type === 'definition';
    if (!isLink || !isScriptUrl(node.url)) {
      return [];
    }
    const start = startOffset(node);
    const end = node.position?.end.offset ?? start;
    return [{ kind: 'script-url', text: text.slice(start, end), line: lineOf(node), start, end }];
  });
}

function passageOf({ text, lineAt }: Outline, { start, end }: { start: number; end: number }) {
  return { text: text.slice(start, end), line: lineAt(start), start, end };
}

/** The tag as it opens: what stands inside may change without changing what it does. */
function openingOf(text: string, tag: Tag): string {
  const attributes = tag.attributes.map(({ start, end }) => ` ${text.slice(start, end)}`);
  return `<${tag.name}${attributes.join('')}>`;
}

/** A handler inside of a component is part of that component. */
function withoutInner(found: readonly Found[]): readonly Found[] {
  const sorted = [...found].sort((a, b) => a.start - b.start || b.end - a.end);
  let covered = -1;
  return sorted.filter(({ start, end }) => {
    const isInner = end <= covered && start < covered;
    covered = Math.max(covered, end);
    return !isInner;
  });
}
