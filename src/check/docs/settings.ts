import { posix } from 'node:path';
import type { Place } from '../finding.ts';
import { type Sentence, say } from '../sentence.ts';
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

/** The deepest real navigation has about 15 levels, those of included files among them. Every level costs stack. */
const maxDepth = 100;

/**
 * The most characters that docs.json may have with all that it includes. A file counts each time that it is
 * included, because a few files could grow without end. The largest real settings have 2.4 MB.
 */
const maxLength = 5_000_000;

/** Reads a JSON file with everything that it includes. */
export class SettingsReader {
  readonly files = new Map<string, string>();
  readonly missing = new Set<string>();
  readonly problems: SettingsProblem[] = [];
  /** Whether a file is no JSON, or too large: then nothing else is read. */
  isBroken = false;
  readonly root: string;
  private readonly texts: ReadonlyMap<string, string | undefined>;
  private readonly places = new WeakMap<object, Places>();
  /** The files that are being read, each of which includes the next one. */
  private readonly open: string[] = [];
  private lengthLeft = maxLength;

  constructor(root: string, texts: ReadonlyMap<string, string | undefined>) {
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
    if (this.lengthLeft < 0) {
      const [top = file] = this.files.keys();
      const limit = maxLength / 1_000_000;
      const what = say`is larger than ${limit} MB with what it includes`;
      return this.giveUp({ file: top, what, isLimit: true });
    }
    this.open.push(file);
    const value = this.resolve(this.parse(file, text), file, depth);
    this.open.pop();
    return value;
  }

  private parse(file: string, text: string): Literal {
    // V8 names the ten characters before a mistake, which may be nothing but indentation.
    const unindented = text.replace(/^[\t ]+/gm, '');
    try {
      JSON.parse(unindented);
      return parseLocated(text, file, this.places);
    } catch (error) {
      const message = error instanceof Error ? error.message : '';
      const line = lineOfMistake(message, unindented);
      const [mistake = ''] = message.split(/,? (?:\.{3})?".*is not valid JSON$| in JSON at /s);
      return this.giveUp({ file, line, what: say`is not valid JSON: ${mistake}` });
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
      return this.located(items, this.placesIn(value));
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
    const ownPlaces = this.placesIn(value);
    if (reference === undefined) {
      return this.located(own, ownPlaces);
    }
    const included = this.read(posix.join(posix.dirname(file), reference), depth + 1);
    if (included === undefined) {
      this.problems.push({
        file,
        what: say`includes a file that the docs do not have: ${reference}`,
      });
      return this.located(own, ownPlaces);
    }
    if (!isObject(included)) {
      return included;
    }
    const places = new Map([...this.placesIn(included), ...ownPlaces]);
    return this.located({ ...included, ...own }, places);
  }

  /** Where a key of an object, or an item of a list, stands: in whichever file has it. */
  placeOf(container: Literal, key: string | number): Place {
    const [top = ''] = this.files.keys();
    const isContainer = typeof container === 'object' && container !== null;
    return (isContainer && this.placesIn(container).get(String(key))) || { file: top };
  }

  private placesIn(container: object): Places {
    return this.places.get(container) ?? new Map();
  }

  /** Notes for a copy where its parts stand. */
  private located<Value extends object>(copy: Value, places: Places): Value {
    this.places.set(copy, places);
    return copy;
  }

  private giveUp(problem: SettingsProblem): null {
    this.isBroken = true;
    this.problems.push(problem);
    return null;
  }
}

/** V8 tells the line, or else the ten characters before the mistake and what follows them. */
function lineOfMistake(message: string, text: string): number {
  const [, line] = /\(line (\d+) column \d+\)$/.exec(message) ?? [];
  const [, excerpt = ''] = /\.\.\."(.*)"(?:\.{3})? is not valid JSON$/s.exec(message) ?? [];
  const isAtEnd = message.includes('end of JSON input');
  const at = isAtEnd ? text.length : excerpt && text.indexOf(excerpt) + 10;
  return Number(line ?? text.slice(0, Number(at)).split('\n').length);
}

/** A line break, a text, a bracket, or a number or word. */
const jsonToken = /\n|"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]|[^\s"{}[\],:]+/gu;

/** Reads a text that is known to be JSON, and notes where each of its parts stands. */
function parseLocated(text: string, file: string, places: WeakMap<object, Places>): Literal {
  const root = new OpenContainer([]);
  const open = [root];
  let line = 1;
  for (const [token] of text.matchAll(jsonToken)) {
    if (token === '\n') {
      line += 1;
    } else if (token === '}' || token === ']') {
      open.pop();
    } else {
      const inner = open.at(-1)?.take(token, { file, line });
      if (inner !== undefined) {
        places.set(inner.value, inner.places);
        open.push(inner);
      }
    }
  }
  return Object.values(root.value)[0] ?? null;
}

/** A list or an object that is being read. */
class OpenContainer {
  readonly value: Literal[] | Record<string, Literal>;
  readonly places = new Map<string, Place>();
  /** The key of the next value in an object; `undefined` before the key was read, and in a list. */
  private key: string | undefined;

  constructor(value: Literal[] | Record<string, Literal>) {
    this.value = value;
  }

  /** Takes a key or a value. @returns the list or object that the token opens */
  take(token: string, place: Place): OpenContainer | undefined {
    const key = Array.isArray(this.value) ? String(this.value.length) : this.key;
    this.key = key === undefined ? JSON.parse(token) : undefined;
    if (key === undefined) {
      return undefined;
    }
    const opened = token === '{' ? {} : token === '[' ? [] : undefined;
    const value: Literal = opened ?? JSON.parse(token);
    // An assignment to `__proto__` would set the prototype, and add no key.
    const property = { value, enumerable: true, writable: true, configurable: true };
    Object.defineProperty(this.value, key, property);
    this.places.set(key, place);
    return opened && new OpenContainer(opened);
  }
}
