import type { Nodes } from 'mdast';
import type { Heading } from './page.ts';
import { lineOf, type Outline } from './page-outline.ts';
import { cleanAnchor, fieldSlugsOf, slugOf, slugsOf } from './page-slug.ts';
import { attributeOf, type Tag } from './page-tag.ts';
import { textOf } from './page-text.ts';

/** Headings of the page, also those that are written as HTML or in components. */
export function headingsOf(
  { nodes }: Outline,
  ids: ReadonlyMap<number, string>,
): readonly Heading[] {
  const seen = new Map<string, number>();
  return nodes.flatMap((node): readonly Heading[] => {
    const depth = depthOf(node);
    if (depth === undefined) {
      return [];
    }
    const text = textOf(node).trim();
    const line = lineOf(node);
    const id = ids.get(line) ?? idOf(node);
    const slug = id === undefined ? slugOf(text) : cleanAnchor(id);
    const count = (seen.get(slug) ?? 0) + 1;
    seen.set(slug, count);
    return [{ anchor: count === 1 ? slug : `${slug}-${count}`, text, depth, line }];
  });
}

function depthOf(node: Nodes): number | undefined {
  if (node.type === 'heading') {
    return node.depth;
  }
  const name =
    node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement' ? node.name : null;
  const digit = /^h([1-6])$/.exec(name ?? '')?.[1];
  return digit === undefined ? undefined : Number(digit);
}

function idOf(node: Nodes): string | undefined {
  if (node.type !== 'mdxJsxFlowElement' && node.type !== 'mdxJsxTextElement') {
    return undefined;
  }
  for (const attribute of node.attributes) {
    if (attribute.type === 'mdxJsxAttribute' && attribute.name === 'id') {
      return typeof attribute.value === 'string' ? attribute.value : undefined;
    }
  }
  return undefined;
}

/**
 * Anchors of headings, of components and of elements with an `id`. Which component makes which
 * anchor differs between versions of Mintlify, so all that one of them may make are listed.
 */
export function anchorsOf(
  outline: Outline,
  headings: readonly Heading[],
  ids: ReadonlyMap<number, string>,
): readonly string[] {
  const anchors = new Set<string>();
  const counts = new Map<string, number>();
  const add = (anchor: string) => {
    const count = (counts.get(anchor) ?? 0) + 1;
    counts.set(anchor, count);
    anchors.add(anchor);
    if (count > 1) {
      anchors.add(`${anchor}-${count - 1}`);
      anchors.add(`${anchor}-${count}`);
    }
  };
  for (const { anchor, text, line } of headings) {
    anchors.add(anchor);
    // An id in braces is there instead of the title's own.
    if (!ids.has(line)) {
      slugsOf(text).forEach(add);
    }
  }
  for (const tag of outline.tags) {
    anchorsOfTag(tag).forEach(add);
  }
  anchors.delete('');
  return [...anchors];
}

const titled = new Set(['Accordion', 'Expandable', 'Heading', 'Step', 'Tab', 'Update', 'View']);
const fields = new Set(['Param', 'ParamField', 'ResponseField']);
const fieldNames = ['query', 'path', 'body', 'header', 'name'];

function anchorsOfTag(tag: Tag): readonly string[] {
  const ids = ['id', 'name'].flatMap((name) => {
    const id = name === 'id' || tag.name === 'a' ? attributeOf(tag, name)?.value : undefined;
    return id === undefined ? [] : [...new Set([id, cleanAnchor(id)])];
  });
  const titles = titled.has(tag.name) ? valuesOf(tag, ['title', 'label']) : [];
  const names = fields.has(tag.name) ? valuesOf(tag, fieldNames) : [];
  return [...ids, ...titles.flatMap(slugsOf), ...names.flatMap(fieldSlugsOf)];
}

function valuesOf(tag: Tag, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => attributeOf(tag, name)?.value ?? []);
}
