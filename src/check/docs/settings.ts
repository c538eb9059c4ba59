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
import { oncePer } from '../once-per.ts';
import { type Sentence, say } from '../sentence.ts';
import { itemsIn } from './limits.ts';
import { isList, isObject, type Literal, textOf } from './script.ts';

/** Why a part of the settings cannot be read. */
export interface SettingsProblem extends Place {
  /** A clause without its subject, such as `includes a file that the docs do not have: ./x.json`. */
  readonly what: Sentence;
  /** Whether it is too much for the check alone: Mintlify may read it. */
  readonly isLimit?: true;
}

/** The line of each key of an object, or of each item of a list, and the file that it is in. */
type Places = ReadonlyMap<string, Place>;

/** The texts of files by path in the repository; `undefined` for a file that does not exist. */
type Texts = ReadonlyMap<string, string | undefined>;

/** The deepest real navigation has about 15 levels, those of included files among them. Every level costs stack. */
const maxDepth = 100;

/**
 * The most characters, and the most lines and commas, that docs.json may have with all that it includes. A file
 * counts each time that it is included, because a few files could grow without end. The largest real settings have
 * 2.4 MB, and real settings have 20 to 25 characters for each line or comma.
 */
const maxLength = 5_000_000;
const maxItems = 125_000;

const tooLarge = say`has more than ${maxLength / 1_000_000} MB, or more than ${maxItems} lines and commas, with what it includes`;

/** The parsed files whose texts a map has. It gets the texts that are missing, and is read again with them. */
const parsedFilesOf = oncePer((_texts: Texts) => new Map<string, Literal>());

/** Where the parts of objects and lists stand. */
const placesIn = new WeakMap<object, Places>();

/** Reads a JSON file with everything that it includes. */
export class SettingsReader {
  readonly files = new Map<string, string>();
  readonly missing = new Set<string>();
  readonly problems: SettingsProblem[] = [];
  /** Whether a file is no JSON, includes itself, or is above a limit: then nothing else is read. */
  isBroken = false;
  private readonly root: string;
  private readonly texts: Texts;
  /** The files that are being read, each of which includes the next one. */
  private readonly open: string[] = [];
  private lengthLeft = maxLength;
  private itemsLeft = maxItems;

  constructor(root: string, texts: Texts) {
    this.root = root;
    this.texts = texts;
  }

  /**
   * @param depth how many values and files it stands in
   * @returns `undefined` for a file that the docs do not have
   */
  read(file: string, depth: number): Literal | undefined {
    const text = this.texts.get(file)?.replace(/^\uFEFF/, '');
    if (!this.texts.has(file)) {
      this.missing.add(file);
    }
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
    const parsed = parsedFilesOf(this.texts);
    try {
      const value = parsed.get(file) ?? parseLocated(file, text);
      parsed.set(file, value);
      return value;
    } catch (error) {
      const message = error instanceof Error ? error.message : '';
      return this.giveUp({ file, what: say`is not valid JSON: ${message}` });
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
      return located(items, placesIn.get(value));
    }
    if (!isObject(value)) {
      return value;
    }
    const reference = textOf(value, '$ref');
    const own = Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => key !== '$ref' || reference === undefined)
        .map(([key, item]) => [key, this.resolve(item, file, depth + 1)]),
    );
    const ownPlaces = placesIn.get(value);
    if (reference === undefined) {
      return located(own, ownPlaces);
    }
    const included = this.read(posix.join(posix.dirname(file), reference), depth + 1);
    if (included === undefined) {
      this.problems.push({
        file,
        what: say`includes a file that the docs do not have: ${reference}`,
      });
      return located(own, ownPlaces);
    }
    if (!isObject(included)) {
      return included;
    }
    const places = new Map([...(placesIn.get(included) ?? []), ...(ownPlaces ?? [])]);
    return located({ ...included, ...own }, places);
  }

  /** Where a key of an object, or an item of a list, stands: in whichever file has it. */
  placeOf(container: Literal, key: string | number): Place {
    const [top = ''] = this.files.keys();
    const isContainer = typeof container === 'object' && container !== null;
    return (isContainer && placesIn.get(container)?.get(String(key))) || { file: top };
  }

  private giveUp(problem: SettingsProblem): null {
    this.isBroken = true;
    this.problems.push(problem);
    return null;
  }
}

/** Notes for a copy where its parts stand. */
function located<Value extends object>(copy: Value, places: Places = new Map()): Value {
  placesIn.set(copy, places);
  return copy;
}

/**
 * Parses JSON, and notes where its parts stand: the parser of YAML knows that, and JSON is a part of YAML.
 * @throws SyntaxError for a text that is no JSON
 */
function parseLocated(file: string, text: string): Literal {
  const value: Literal = JSON.parse(text);
  const lines = new LineCounter();
  // The parser would compare each key with all keys before it.
  const { contents } = parseDocument(text, { lineCounter: lines, uniqueKeys: false });
  const lineOf = (node: unknown) => lines.linePos((isNode(node) && node.range?.[0]) || 0).line;
  const locate = (part: Literal | undefined, node: unknown): void => {
    if (typeof part === 'object' && part !== null && isCollection(node)) {
      const inner = partsOf(node);
      placesIn.set(part, new Map(inner.map(([name, key]) => [name, { file, line: lineOf(key) }])));
      for (const [name, , item] of inner) {
        locate(isList(part) ? part[Number(name)] : part[name], item);
      }
    }
  };
  locate(value, contents);
  return value;
}

/** The keys of an object, or the indexes of a list: each with the nodes of its key and its value. */
function partsOf({ items }: YAMLMap | YAMLSeq): readonly (readonly [string, unknown, unknown])[] {
  return items.map((item: unknown, index) =>
    isPair(item) ? [String(item.key), item.key, item.value] : [String(index), item, item],
  );
}
