import { parse } from 'yaml';
import { partsOfDescription } from './description-text.ts';
import { emptyPage, type FrontMatterField, type Page } from './page.ts';

/** Descriptions have a dozen aliases, if any; a bomb of them grows without end. */
const mostAliases = 1000;

/** What the first key of a whole description is called. Of a part of one, nothing is known. */
const kinds = ['openapi', 'swagger', 'asyncapi'];

const noDescription = { what: 'is no description of an API', line: undefined };

/** Where requests go and what they carry, and what the documentation shows in place of the rest. */
const sensitive =
  /^(?:servers?|host|basePath|schemes|security|securityDefinitions|x-(?:mint|mcp|hidden|excluded|code-?samples).*)$/iu;

const methods = /^(?:get|put|post|delete|options|head|patch|trace|query|publish|subscribe)$/iu;

/**
 * Reads an API description in JSON or YAML. Its fields are what rules compare: each operation by its
 * method and path, and what decides where requests go, by its place.
 */
export function descriptionPage(text: string): Page {
  try {
    const data = dataOf(text.replace(/^\uFEFF/u, ''));
    return isMap(data) && kinds.some((kind) => typeof data[kind] === 'string')
      ? { ...emptyPage, frontMatter: fieldsOf(data), ...partsOfDescription(data) }
      : { ...emptyPage, problem: noDescription };
  } catch {
    const problem = { what: 'cannot be read as JSON or YAML', line: undefined };
    return { ...emptyPage, problem };
  }
}

function dataOf(text: string): unknown {
  if (/^\s*\{/u.test(text)) {
    return JSON.parse(text);
  }
  return parse(text, { merge: true, maxAliasCount: mostAliases, logLevel: 'silent' });
}

type Fields = Readonly<Record<string, unknown>>;

function isMap(data: unknown): data is Fields {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

function fieldsOf(data: Fields): readonly FrontMatterField[] {
  const { components } = data;
  const schemes = isMap(components) ? components['securitySchemes'] : undefined;
  const items = ['paths', 'webhooks', 'channels', 'operations'].flatMap((key) =>
    entriesOf(data[key]),
  );
  return [
    ...sensitiveFields('', data),
    ...(schemes === undefined ? [] : [field('components securitySchemes', schemes)]),
    ...items.flatMap(([path, item]) => [
      ...operationsOf(path, item),
      ...(isMap(item) ? sensitiveFields(`${path} `, item) : []),
    ]),
  ];
}

function operationsOf(path: string, item: unknown): readonly FrontMatterField[] {
  const operations = entriesOf(item).filter(([key]) => methods.test(key));
  // The rest of a path item may be elsewhere.
  const others = operations.length === 0 ? [field(`operation ${path}`, null)] : [];
  return [
    ...others,
    ...operations.flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const inside = isMap(operation) ? sensitiveFields(`${name} `, operation) : [];
      return [field(`operation ${name}`, null), ...inside];
    }),
  ];
}

function sensitiveFields(place: string, data: Fields): readonly FrontMatterField[] {
  return entriesOf(data)
    .filter(([key]) => sensitive.test(key))
    .map(([key, value]) => field(`${place}${key}`, value));
}

function entriesOf(data: unknown): readonly (readonly [string, unknown])[] {
  return isMap(data) ? Object.entries(data) : [];
}

function field(name: string, value: unknown): FrontMatterField {
  return { name, json: JSON.stringify(value) ?? 'null', line: 1 };
}
