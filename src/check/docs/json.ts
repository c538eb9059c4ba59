import { createScanner, type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import type { SiteProblem } from './site.ts';

/** A value of a JSON file, with the place where it stands. */
export type JsonNode = JsonObject | JsonArray | JsonScalar;

interface Place {
  readonly file: string;
  readonly line: number;
}

export interface JsonObject extends Place {
  readonly type: 'object';
  readonly entries: ReadonlyMap<string, JsonNode>;
}

export interface JsonArray extends Place {
  readonly type: 'array';
  readonly items: readonly JsonNode[];
}

export interface JsonScalar extends Place {
  readonly type: 'scalar';
  readonly value: string | number | boolean | null;
}

export interface ParsedJson {
  /** What could be read; `undefined` for nothing. */
  readonly node: JsonNode | undefined;
  readonly problems: readonly SiteProblem[];
}

/** The deepest real navigation has about 15 levels. Every level costs stack. */
const maxDepth = 100;

/** The largest real settings have 2 MB. */
const maxLength = 8_000_000;

/**
 * Reads strict JSON, as Mintlify does: a comment or a trailing comma is an error. What follows an
 * error is read as well as possible. Of a key that occurs twice, the last value counts.
 */
export function parseJson(file: string, text: string): ParsedJson {
  const refused = refusal(text);
  return refused === undefined
    ? new Reader(file).read(text)
    : { node: undefined, problems: [{ file, line: 1, what: refused }] };
}

function refusal(text: string): string | undefined {
  if (text.length > maxLength) return `is larger than ${maxLength / 1_000_000} MB`;
  // The parser is recursive, so that its stack would overflow.
  if (depthOf(text) > maxDepth) return `is nested more than ${maxDepth} levels deep`;
  return undefined;
}

const openerOf: ReadonlyMap<string, string> = new Map([
  ['}', '{'],
  [']', '['],
]);

function depthOf(text: string): number {
  const scanner = createScanner(text, true);
  const open: string[] = [];
  let deepest = 0;
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const token = scanner.getTokenLength() === 1 ? text.charAt(scanner.getTokenOffset()) : '';
    if (token === '{' || token === '[') deepest = Math.max(deepest, open.push(token));
    // The parser does not leave a level at the wrong bracket.
    else if (token !== '' && open.at(-1) === openerOf.get(token)) open.pop();
  }
  return deepest;
}

type Open =
  | { readonly node: JsonObject; readonly entries: Map<string, JsonNode>; key: string }
  | { readonly node: JsonArray; readonly items: JsonNode[] };

/** Builds the nodes from the parser's events, which know their lines. */
class Reader {
  private readonly file: string;
  private readonly problems: SiteProblem[] = [];
  private readonly open: Open[] = [];
  private result: JsonNode | undefined;

  constructor(file: string) {
    this.file = file;
  }

  read(text: string): ParsedJson {
    const close = () => {
      this.open.pop();
    };
    visit(
      text.replace(/^\uFEFF/, ''),
      {
        onObjectBegin: (_offset, _length, line) => this.openObject(line + 1),
        onObjectProperty: (key, _offset, _length, line) => this.openProperty(key, line + 1),
        onObjectEnd: close,
        onArrayBegin: (_offset, _length, line) => this.openArray(line + 1),
        onArrayEnd: close,
        onLiteralValue: (value: unknown, _offset, _length, line) => this.add(value, line + 1),
        onError: (code, _offset, _length, line) => this.refuse(code, line + 1),
      },
      { disallowComments: true, allowTrailingComma: false },
    );
    return { node: this.result, problems: this.problems };
  }

  private openObject(line: number): void {
    const entries = new Map<string, JsonNode>();
    const node: JsonObject = { type: 'object', file: this.file, line, entries };
    this.put(node);
    this.open.push({ node, entries, key: '' });
  }

  private openArray(line: number): void {
    const items: JsonNode[] = [];
    const node: JsonArray = { type: 'array', file: this.file, line, items };
    this.put(node);
    this.open.push({ node, items });
  }

  private openProperty(key: string, line: number): void {
    const parent = this.open.at(-1);
    if (parent === undefined || !('entries' in parent)) return;
    if (parent.entries.has(key)) this.problem(line, `has the key ${JSON.stringify(key)} twice`);
    parent.key = key;
  }

  private add(value: unknown, line: number): void {
    const isScalar =
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    this.put({ type: 'scalar', file: this.file, line, value: isScalar ? value : null });
  }

  private put(node: JsonNode): void {
    const parent = this.open.at(-1);
    if (parent === undefined) this.result ??= node;
    else if ('entries' in parent) parent.entries.set(parent.key, node);
    else parent.items.push(node);
  }

  /** The errors after the first one mostly follow from it. */
  private refuse(code: ParseErrorCode, line: number): void {
    if (this.problems.some(({ what }) => what.startsWith(noJson))) return;
    const words = printParseErrorCode(code).replace(/\B[A-Z]/g, (letter) => ` ${letter}`);
    this.problem(line, `${noJson} (${words.toLowerCase()})`);
  }

  private problem(line: number, what: string): void {
    this.problems.push({ file: this.file, line, what });
  }
}

const noJson = 'is not valid JSON';

/** Compact, with sorted keys, so that two values can be compared whatever the order of their keys. */
export function compactJson(node: JsonNode): string {
  switch (node.type) {
    case 'scalar':
      return JSON.stringify(node.value);
    case 'array':
      return `[${node.items.map(compactJson).join(',')}]`;
    case 'object': {
      const keys = [...node.entries.keys()].sort();
      return `{${keys.map((key) => `${JSON.stringify(key)}:${valueJson(node, key)}`).join(',')}}`;
    }
  }
}

function valueJson(object: JsonObject, key: string): string {
  const value = object.entries.get(key);
  return value === undefined ? 'null' : compactJson(value);
}

/** The value of a key, where it is text. */
export function textOf(node: JsonNode | undefined, key: string): string | undefined {
  const value = node?.type === 'object' ? node.entries.get(key) : undefined;
  return value?.type === 'scalar' && typeof value.value === 'string' ? value.value : undefined;
}
