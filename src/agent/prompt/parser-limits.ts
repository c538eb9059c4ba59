import type { Code, Construct, Extension, TokenizeContext } from 'micromark-util-types';

/*
 * The parser takes quadratic time to search for the other half of a mark, and to nest containers in one line.
 * These limits are counts, so that no machine refuses a text that another machine reads.
 */

/** No honest paragraph has so many marks of emphasis and unpaired brackets. They take half a second. */
const maxMarks = 3000;

/** Nobody begins so many list items and quotes in one line. */
const maxContainers = 500;

/**
 * An extension of micromark that parses nothing: it counts, and throws a `RangeError` above a limit, as the
 * parser does where elements are nested too deeply.
 */
export function parserLimits(): Extension {
  const mark = counting(createMarkCounter());
  const container = counting(createContainerCounter());
  return {
    text: constructsFor('*_~[]', mark),
    document: constructsFor('*+->0123456789', container),
  };
}

function constructsFor(characters: string, construct: Construct): Record<number, Construct> {
  return Object.fromEntries([...characters].map((each) => [each.charCodeAt(0), construct]));
}

/** A mark, with the characters on both sides. */
interface Mark {
  readonly text: string;
  readonly before: string;
  readonly after: string;
}

type Counter = (mark: Mark, context: TokenizeContext) => void;

/** A construct that tells the counter of each mark, and then leaves the mark to other constructs. */
function counting(count: Counter): Construct {
  return {
    tokenize(effects, _ok, nok) {
      const before = characterOf(this.previous);
      return (mark) => {
        effects.enter('data');
        effects.consume(mark);
        return (next) => {
          effects.exit('data');
          count({ text: characterOf(mark), before, after: characterOf(next) }, this);
          return nok(next);
        };
      };
    },
  };
}

/** Counts the marks of each paragraph, heading or cell. */
function createMarkCounter(): Counter {
  const counts = new WeakMap<TokenizeContext, { marks: number; brackets: number }>();
  return ({ text, before, after }, context) => {
    const count = counts.get(context) ?? { marks: 0, brackets: 0 };
    counts.set(context, count);
    if (text === '[') {
      count.brackets += 1;
    } else if (text === ']' && count.brackets > 0) {
      count.brackets -= 1;
    } else if (text !== '_' || !isLetter(before) || !isLetter(after)) {
      count.marks += 1;
    }
    check(count.marks, maxMarks);
  };
}

/** Counts the containers that begin in each line. */
function createContainerCounter(): Counter {
  let line = 0;
  let containers = 0;
  return (_mark, context) => {
    const { line: now } = context.now();
    containers = now === line ? containers + 1 : 1;
    line = now;
    check(containers, maxContainers);
  };
}

function check(count: number, max: number): void {
  if (count > max) {
    throw new RangeError(`More than ${max}`);
  }
}

function isLetter(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}

/** micromark uses negative codes for line ends and tabs, and null for the end of the text. */
function characterOf(code: Code): string {
  return code === null || code < 0 ? ' ' : String.fromCharCode(code);
}
