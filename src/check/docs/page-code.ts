import type { CodePassage } from './page.ts';
import { dangerOfProgram, dangerOfStatement } from './page-danger.ts';
import { kindOfAttribute, kindOfTag } from './page-element.ts';
import { tagsOfHtml } from './page-html.ts';
import { isLayer } from './page-layer.ts';
import { isOfBrowser, type Names, namesIn } from './page-names.ts';
import { lineOf, type Outline, type Script, startOffset } from './page-outline.ts';
import {
  type Constants,
  child,
  children,
  endOf,
  type ScriptNode,
  startOf,
  text,
} from './page-script.ts';
import { stringsIn } from './page-strings.ts';
import type { Tag } from './page-tag.ts';
import { isScriptUrl } from './page-url.ts';
import { declarationsOf, usesOf } from './page-uses.ts';

interface Found extends Omit<CodePassage, 'uses'> {
  readonly start: number;
  readonly end: number;
}

/** The parts of a page that the site or the reader's browser would execute; see `CodeKind`. */
export function codeOf(outline: Outline, constants: Constants): readonly CodePassage[] {
  const names = namesIn(outline.scripts);
  const found = [
    ...outline.tags.flatMap((tag) => codeOfTag(outline, tag, names, constants)),
    ...outline.scripts.flatMap((script) => codeOfScript(outline, script, names, constants)),
    ...scriptStrings(outline, names, constants),
    ...titles(outline),
    ...scriptLinks(outline),
  ];
  const declarations = declarationsOf(outline);
  return withoutInner(found).map(({ text, line, kind }) => ({
    text,
    line,
    kind,
    uses: usesOf(text, declarations),
  }));
}

function codeOfTag(
  outline: Outline,
  tag: Tag,
  names: Names,
  constants: Constants,
): readonly Found[] {
  const { text } = outline;
  const kind =
    kindOfTag(tag, names, constants) ??
    (isLayer(tag, outline.tags, constants) ? 'layer' : undefined);
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

function codeOfScript(
  outline: Outline,
  script: Script,
  names: Names,
  constants: Constants,
): readonly Found[] {
  if (script.kind !== 'esm') {
    const placeholder = script.kind === 'expression' ? placeholderOf(script.program) : undefined;
    if (placeholder !== undefined) {
      const isKnown = placeholder.isDouble || names.declared.has(placeholder.name);
      return isKnown ? [] : [{ kind: 'placeholder', ...passageOf(outline, script) }];
    }
    const kind = dangerOfProgram(script.program, names, constants);
    return kind === undefined ? [] : [{ kind, ...passageOf(outline, script) }];
  }
  return children(script.program, 'body').flatMap((statement): readonly Found[] => {
    const kind = dangerOfStatement(statement, names, constants);
    const range = { start: startOf(statement), end: endOf(statement) };
    return kind === undefined ? [] : [{ kind, ...passageOf(outline, range) }];
  });
}

/** A title that names no part of a picture becomes that of the whole document. */
function titles(outline: Outline): readonly Found[] {
  const pictures = outline.tags.filter(({ name }) => name === 'svg');
  return outline.tags
    .filter(({ name, start, end }) => {
      const isInside = pictures.some((picture) => picture.start < start && end < picture.end);
      return name === 'title' && !isInside;
    })
    .map((tag) => ({ kind: 'document', ...passageOf(outline, tag) }));
}

interface Placeholder {
  readonly name: string;
  readonly isDouble: boolean;
}

/**
 * Names in the text: `{{version}}`, for which Mintlify puts in the value that the settings give to the name,
 * and `{id}`, which the author meant as a placeholder.
 */
function placeholderOf(program: ScriptNode): Placeholder | undefined {
  const [statement = program] = children(program, 'body');
  const expression = child(statement, 'expression') ?? statement;
  const [property, ...others] = children(expression, 'properties');
  const isDouble = others.length === 0 && property?.['shorthand'] === true;
  const identifier = isDouble ? child(property, 'key') : expression;
  const name = identifier?.type === 'Identifier' ? text(identifier, 'name') : undefined;
  return name === undefined || isOfBrowser(name) ? undefined : { name, isDouble };
}

function scriptStrings(outline: Outline, names: Names, constants: Constants): readonly Found[] {
  return stringsIn(outline, constants).flatMap((found): readonly Found[] => {
    const kind = isScriptUrl(found.value) ? 'script-url' : undefined;
    const isHtml = found.isExported && isDangerousHtml(found.value, names, constants);
    const danger = kind ?? (isHtml ? 'raw-html' : undefined);
    return danger === undefined ? [] : [{ kind: danger, ...passageOf(outline, found) }];
  });
}

/** Whether a text runs code wherever a page or a component puts it in as HTML. */
function isDangerousHtml(html: string, names: Names, constants: Constants): boolean {
  return (
    /<[a-z]/i.test(html) &&
    tagsOfHtml(html, 0, 1).some(
      (tag) =>
        kindOfTag(tag, names, constants) !== undefined ||
        tag.attributes.some((one) => kindOfAttribute(tag, one, constants) !== undefined),
    )
  );
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
