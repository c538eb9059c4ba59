import type { Change } from '../change.ts';
import type { FrontMatterField, Page } from '../docs/page.ts';
import type { Finding } from '../old-finding.ts';
import { type ChangedPage, changedPages, type EditedPage, editedPages } from './compare.ts';

/** A page without them is hard to find, in a search engine or on the site. */
const expectedFields = ['title', 'description'];

/** They decide who finds or sees the page, and where it leads. */
const sensitiveFields = [
  'hidden',
  'noindex',
  'robots',
  'searchable',
  'canonical',
  'url',
  'groups',
  'public',
  // It takes the navigation and the frame of the site away.
  'mode',
  'api',
  'openapi',
  'asyncapi',
  'authMethod',
];

/** A new page with one of them is one that readers find and reviewers do not meet, or that leads away. */
const hidingFields = ['hidden', 'noindex', 'robots', 'url', 'canonical'];

/** A field with one of these values does the same as no field. */
const emptyValues = new Set(['null', 'false', '""', '[]', '{}', '"false"']);

export function frontMatterChanged(change: Change): readonly Finding[] {
  const edited = editedPages(change).flatMap((page) => [
    ...expectedFields.flatMap((name) => goneField(page, name)),
    ...sensitiveFields.flatMap((name) => changedField(page, name)),
  ]);
  return [...edited, ...changedPages(change).flatMap(hidingFieldsOf)];
}

function hidingFieldsOf({ file, after }: ChangedPage): readonly Finding[] {
  if (file.status !== 'added' || after === undefined) {
    return [];
  }
  return hidingFields.flatMap((name) => {
    const field = fieldOf(after, name);
    return field === undefined
      ? []
      : [finding(file.path, field.line, `is new and sets ${name} to ${field.json}`, undefined)];
  });
}

function goneField({ file, before, after }: EditedPage, name: string): readonly Finding[] {
  const was = fieldOf(before, name);
  return was === undefined || fieldOf(after, name) !== undefined
    ? []
    : [finding(file.path, undefined, `has no ${name} any more`, was)];
}

function changedField({ file, before, after }: EditedPage, name: string): readonly Finding[] {
  const was = fieldOf(before, name);
  const is = fieldOf(after, name);
  if (was?.json === is?.json) {
    return [];
  }
  const what = is === undefined ? `has no ${name} any more` : `sets ${name} to ${is.json}`;
  return [finding(file.path, is?.line, what, was)];
}

function fieldOf(page: Page, name: string): FrontMatterField | undefined {
  return page.frontMatter.find((field) => field.name === name && !emptyValues.has(field.json));
}

function finding(
  file: string,
  line: number | undefined,
  what: string,
  was: FrontMatterField | undefined,
): Finding {
  return {
    rule: 'front-matter-changed',
    file,
    ...(line === undefined ? {} : { line }),
    what,
    ...(was === undefined ? {} : { was: `${was.name}: ${was.json}` }),
  };
}
