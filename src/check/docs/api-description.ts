import { parse, YAMLParseError } from 'yaml';
import { partsOfDescription } from './description-text.ts';
import { emptyPage, type FrontMatterField, noDescription, type Page } from './page.ts';

/** Descriptions have a dozen aliases, if any; a bomb of them grows without end. */
const mostAliases = 1000;

/** What the first key of a whole description is called. Of a part of one, nothing is known. */
const kinds = ['openapi', 'swagger', 'asyncapi'];

/** Where requests go and what they carry, and what the documentation shows in place of the rest. */
const sensitive =
  /^(?:servers?|host|basePath|schemes|security|securityDefinitions|x-(?:mint|mcp|hidden|excluded|code-?samples).*)$/iu;

const methods = /^(?:get|put|post|delete|options|head|patch|trace|query|publish|subscribe)$/iu;

/**
 * Reads an API description in JSON or YAML. Its fields are what rules compare: each operation by its
 * method and path, and what decides where requests go, by its place.
 *
 * @param readMdx parses the text that an operation has in MDX
 */
export function descriptionPage(text: string, readMdx: (mdx: string) => Page): Page {
  try {
    const data = dataOf(text.replace(/^\uFEFF/u, ''));
    return isMap(data) && kinds.some((kind) => typeof data[kind] === 'string')
      ? { ...emptyPage, frontMatter: fieldsOf(data, readMdx), ...partsOfDescription(data) }
      : { ...emptyPage, problem: noDescription };
  } catch (error) {
    const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
    return { ...emptyPage, problem: { what: 'cannot be read as JSON or YAML', line } };
  }
}

function dataOf(text: string): unknown {
  if (/^\s*\{/u.test(text)) {
    return JSON.parse(text);
  }
  // At `silent`, the library swallows errors, and returns what it made of the text up to there.
  return parse(text, { merge: true, maxAliasCount: mostAliases, logLevel: 'error' });
}

type Fields = Readonly<Record<string, unknown>>;

function isMap(data: unknown): data is Fields {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

type ReadMdx = (mdx: string) => Page;

function fieldsOf(data: Fields, readMdx: ReadMdx): readonly FrontMatterField[] {
  const { components } = data;
  const schemes = isMap(components) ? components['securitySchemes'] : undefined;
  const items = ['paths', 'webhooks', 'channels', 'operations'].flatMap((key) =>
    entriesOf(data[key]),
  );
  return [
    ...sensitiveFields('', data, readMdx),
    ...entriesOf(schemes).map(([name, scheme]) =>
      field(
        `components securitySchemes ${name}`,
        isMap(scheme) ? { ...scheme, description: '' } : scheme,
      ),
    ),
    ...items.flatMap(([path, item]) => [
      ...operationsOf(path, item, readMdx),
      ...(isMap(item) ? sensitiveFields(`${path} `, item, readMdx) : []),
    ]),
  ];
}

function operationsOf(path: string, item: unknown, readMdx: ReadMdx): readonly FrontMatterField[] {
  const operations = entriesOf(item).filter(([key]) => methods.test(key));
  // The rest of a path item may be elsewhere.
  const others = operations.length === 0 ? [field(`operation ${path}`, null)] : [];
  return [
    ...others,
    ...operations.flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const inside = isMap(operation) ? sensitiveFields(`${name} `, operation, readMdx) : [];
      return [field(`operation ${name}`, null), ...inside];
    }),
  ];
}

function sensitiveFields(
  place: string,
  data: Fields,
  readMdx: ReadMdx,
): readonly FrontMatterField[] {
  return entriesOf(data)
    .filter(([key]) => sensitive.test(key))
    .map(([key, value]) => field(`${place}${key}`, withoutProse(value, readMdx)));
}

/** The content of `x-mint` is shown above an operation. Which words it has does not matter if they are only read. */
function withoutProse(value: unknown, readMdx: ReadMdx): unknown {
  const content = isMap(value) ? value['content'] : undefined;
  return isMap(value) && typeof content === 'string' && isProse(readMdx(content))
    ? { ...value, content: 'prose' }
    : value;
}

function isProse(page: Page): boolean {
  const { problem, frontMatter, imports, code, samples, forAgents } = page;
  const others = [frontMatter, imports, code, samples, forAgents];
  return (
    problem === undefined && page.prose.length > 0 && others.every(({ length }) => length === 0)
  );
}

function entriesOf(data: unknown): readonly (readonly [string, unknown])[] {
  return isMap(data) ? Object.entries(data) : [];
}

function field(name: string, value: unknown): FrontMatterField {
  return { name, json: JSON.stringify(value) ?? 'null', line: 1 };
}
