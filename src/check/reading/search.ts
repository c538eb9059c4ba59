import type { Questions } from './questions.ts';

/**
 * Makes a search for what the questions name: it finds every text that may use one of these things, and
 * some that do not. `undefined` if there are no questions.
 */
export function createSearch({
  names,
  anchors,
  isFileGone,
}: Questions): ((text: string) => boolean) | undefined {
  const keys = [...names].map((name) => firstOf(partsOf(plain(name), namePart)));
  const searched = new Set(keys);
  const searchedAnchors = new Set(
    [...anchors].map((anchor) => firstOf(partsOf(plain(`#${anchor}`), anchorPart))),
  );
  if (searched.size + searchedAnchors.size === 0) {
    return undefined;
  }
  // Such a name begins in the middle of what is searched for.
  const isOdd = keys.includes('') || searchedAnchors.has('');
  return (text) => {
    const address = plain(text);
    return (
      isOdd ||
      (isFileGone && joinedText.test(text)) ||
      partsOf(address, addressPart).some((part) => isName(part, searched)) ||
      partsOf(address, anchorPart).some((part) => searchedAnchors.has(part))
    );
  };
}

/** An expression that puts a text together, such as `{"/images/" + name}`: the parser knows what it is. */
const joinedText = /\{\s*(?:`[^`\n]{0,300}\$\{|(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'|\w{1,50})\s*\+)/u;

function firstOf(parts: readonly string[]): string {
  return parts[0] ?? '';
}

/** Whether a part of an address has a name, with or without an extension. */
function isName(part: string, names: ReadonlySet<string>): boolean {
  if (names.has(part)) {
    return true;
  }
  for (let dot = part.lastIndexOf('.'); dot > 0; dot = part.lastIndexOf('.', dot - 1)) {
    if (names.has(part.slice(0, dot))) {
      return true;
    }
  }
  return false;
}

/** The beginning of a name, up to a character that could end an address. */
const namePart = /^[^\s/"'`()<>[\]{}|#?=,;]{1,300}/gu;

/** A part of an address, or what could be one: no single words in the middle of a sentence. */
const addressPart = /(?<=[/"'`(<>=|]|[:(]\s{0,4})[^\s/"'`()<>[\]{}|#?=,;]{1,300}/gu;

const anchorPart = /(?<=#)[^\s"'`()<>[\]{}|]{1,300}/gu;

function partsOf(text: string, part: RegExp): readonly string[] {
  return text.match(part) ?? [];
}

/** An address as it can be compared: in lower case, without escapes of Markdown, HTML and URLs. */
function plain(text: string): string {
  return text
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (whole, hex?: string, decimal?: string) =>
      character(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16), whole),
    )
    .replace(/&(amp|sol|num|period|lowbar|hyphen);/gi, (whole, name: string) => {
      return entities.get(name.toLowerCase()) ?? whole;
    })
    .replace(/(?:%[\da-f]{2})+/gi, decoded)
    .normalize()
    .toLowerCase();
}

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['sol', '/'],
  ['num', '#'],
  ['period', '.'],
  ['lowbar', '_'],
  ['hyphen', '-'],
]);

function character(code: number, whole: string): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}

function decoded(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}
