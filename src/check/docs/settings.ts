import { posix } from 'node:path';
import {
  isCollection,
  isNode,
  isPair,
  LineCounter,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Place } from '../finding.ts';
import { say } from '../sentence.ts';
import { itemsIn, type PageProblem } from './limits.ts';
import { isList, isObject, type Literal, textOf } from './script.ts';

/** Why a part of the settings cannot be read, and which file is at fault. */
export interface SettingsProblem extends PageProblem {
  readonly file: string;
}

/** The texts of files by path in the repository; `undefined` for a file that does not exist. */
type Texts = ReadonlyMap<string, string | undefined>;

/** The deepest real navigation has about 15 levels, those of included files among them. Every level costs stack. */
export const maxDepth = 100;

/**
 * The most characters, and the most lines and marks, that docs.json may have with all that it includes. A file
 * counts each time that it is included, because a few files could grow without end. The largest real settings have
 * 2.4 MB, and real settings have 14 to 20 characters for each line or mark.
 */
const maxLength = 5_000_000;
const maxItems = 180_000;

const tooLarge = say`has more than ${maxLength / 1_000_000} MB, or more than ${maxItems} lines and marks, with what it includes`;

/** The files that a file of settings may include by `$ref`, by path in the repository. Never throws. */
export function includedBy(file: string, text: string): readonly string[] {
  const included: string[] = [];
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''), (key, value: unknown) => {
      if (key === '$ref' && typeof value === 'string') {
        included.push(posix.join(posix.dirname(file), value));
      }
    });
  } catch {
    // What is no JSON includes nothing.
  }
  return included;
}

/** Reads a JSON file with everything that it includes. */
export class SettingsReader {
  readonly files = new Map<string, string>();
  readonly problems: SettingsProblem[] = [];
  /** Whether a file is no JSON, includes itself, or is above a limit: then nothing else is read. */
  isBroken = false;
  private readonly root: string;
  private readonly texts: Texts;
  /** Where the parts of each object and list stand, by the key or the index of the part. */
  private readonly places = new Map<object, ReadonlyMap<string, Place>>();
  /** The files that are being read, each of which includes the next one. */
  private readonly open: string[] = [];
  private lengthLeft = maxLength;
  private itemsLeft = maxItems;

  constructor(root: string, texts: Texts) {
    this.root = root;
    this.texts = texts;
  }

  /**
   * @param depth how many objects, lists and files are around the file, itself included
   * @returns `undefined` for a file that the docs do not have
   */
  read(file: string, depth: number): Literal | undefined {
    const text = this.texts.get(file)?.replace(/^\uFEFF/, '');
    if (text === undefined || posix.relative(`/${this.root}`, `/${file}`).startsWith('../')) {
      return undefined;
    }
    if (this.open.includes(file)) {
      return this.giveUp({ file, what: say`includes itself by $ref` });
    }
    this.files.set(file, text);
    this.lengthLeft -= text.length;
    this.itemsLeft -= itemsIn(text);
    if (this.lengthLeft < 0 || this.itemsLeft < 0) {
      const [top = file] = this.files.keys();
      return this.giveUp({ file: top, what: tooLarge, isLimit: true });
    }
    this.open.push(file);
    const value = this.resolve(this.parse(file, text), file, depth);
    this.open.pop();
    return value;
  }

  private parse(file: string, text: string): Literal {
    try {
      return this.parseLocated(file, text);
    } catch (error) {
      const message = error instanceof Error ? error.message : '';
      const [, line] = /\(line (\d+)/u.exec(message) ?? [];
      const what = say`is not valid JSON: ${message}`;
      return this.giveUp({ file, what, ...(line !== undefined && { line: Number(line) }) });
    }
  }

  /**
   * Follows `{"$ref": "./navigation.json"}`, which is relative to the file in which it stands. As Mintlify
   * does: if the file has an object, the keys beside `$ref` win over the keys of that object. If it has anything
   * else, that replaces all keys.
   */
  private resolve(value: Literal, file: string, depth: number): Literal {
    if (this.isBroken) {
      return null;
    }
    if (depth > maxDepth) {
      const what = say`is nested more than ${maxDepth} levels deep`;
      return this.giveUp({ file, what, isLimit: true });
    }
    if (isList(value)) {
      const items = value.map((item) => this.resolve(item, file, depth + 1));
      return this.located(items, value);
    }
    if (!isObject(value)) {
      return value;
    }
    const reference = textOf(value, '$ref');
    const included = reference === undefined ? {} : this.include(reference, file, depth + 1);
    if (!isObject(included)) {
      return included;
    }
    const own = Object.entries(value)
      .filter(([key]) => key !== '$ref' || reference === undefined)
      .map(([key, item]) => [key, this.resolve(item, file, depth + 1)] as const);
    return this.located({ ...included, ...Object.fromEntries(own) }, included, value);
  }

  /** The content of an included file; an empty object if the docs do not have it. */
  private include(reference: string, file: string, depth: number): Literal {
    const included = this.read(posix.join(posix.dirname(file), reference), depth);
    if (included === undefined) {
      const what = say`includes a file that the docs do not have: ${reference}`;
      this.problems.push({ file, what });
    }
    return included ?? {};
  }

  /** Where a key of an object, or an item of a list, stands. */
  placeOf(container: Literal, key: string | number): Place {
    const [top = ''] = this.files.keys();
    const isContainer = typeof container === 'object' && container !== null;
    return (isContainer && this.places.get(container)?.get(String(key))) || { file: top };
  }

  private giveUp(problem: SettingsProblem): null {
    this.isBroken = true;
    this.problems.push(problem);
    return null;
  }

  /** Remembers where the parts of a copy stand: where those of its originals stand. The last original wins. */
  private located<Value extends object>(copy: Value, ...originals: readonly object[]): Value {
    this.places.set(copy, new Map(originals.flatMap((one) => [...(this.places.get(one) ?? [])])));
    return copy;
  }

  /**
   * Parses JSON, and remembers where its parts stand. JSON.parse gives no lines. The YAML parser does, and it reads
   * JSON, too.
   * @throws SyntaxError for a text that is no JSON
   */
  private parseLocated(file: string, text: string): Literal {
    const value: Literal = JSON.parse(text);
    const lines = new LineCounter();
    // The parser would compare each key with all keys before it.
    const { contents } = parseDocument(text, { lineCounter: lines, uniqueKeys: false });
    const lineOf = (node: unknown) => lines.linePos((isNode(node) && node.range?.[0]) || 0).line;
    const locate = (part: Literal | undefined, node: unknown): void => {
      if (typeof part === 'object' && part !== null && isCollection(node)) {
        const inner = partsOf(node);
        const places = inner.map(([name, key]) => [name, { file, line: lineOf(key) }] as const);
        this.places.set(part, new Map(places));
        for (const [name, , item] of inner) {
          locate(isList(part) ? part[Number(name)] : part[name], item);
        }
      }
    };
    locate(value, contents);
    return value;
  }
}

/** The keys of an object, or the indexes of a list: each with the nodes of its key and its value. */
function partsOf({ items }: YAMLMap | YAMLSeq): readonly (readonly [string, unknown, unknown])[] {
  return items.map((item: unknown, index) =>
    isPair(item) ? [String(item.key), item.key, item.value] : [String(index), item, item],
  );
}
