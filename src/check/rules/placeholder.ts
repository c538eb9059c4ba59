/** Words that stand in placeholders and hardly ever in random characters. */
const placeholderWord =
  /exampl|sample|placeholder|your|dummy|fake|redacted|changeme|replace|insert|secret|foobar|notreal|invalid|testtest|x{4}|0{5}|\*{3}/iu;

/** Random text of 16 characters has about 3.5 bits for each, `aaaabbbb` has 1. */
const leastBitsPerCharacter = 3;

/** Whether the random part of a key is not random: a word, a repetition, a sequence. */
export function isPlaceholder(secret: string): boolean {
  const text = secret.replace(/\\n|[^A-Za-z0-9]/gu, '');
  return (
    placeholderWord.test(secret) ||
    placeholderWord.test(text) ||
    /^(?:[a-z]*|\d*)$/u.test(text) ||
    bitsPerCharacter(text) < leastBitsPerCharacter ||
    hasSequence(text) ||
    hasRepetition(text)
  );
}

function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  return [...counts.values()].reduce(
    (bits, count) => bits - (count / text.length) * Math.log2(count / text.length),
    0,
  );
}

const longestChance = 4;

/** `abcdef`, `54321`, and `a1b2c3`, in which every second character goes on. */
function hasSequence(text: string): boolean {
  return [1, 2].some((stride) =>
    [1, -1].some((step) => longestRun(text.toLowerCase(), stride, step) > longestChance),
  );
}

function longestRun(text: string, stride: number, step: number): number {
  let longest = 0;
  let run = 0;
  for (let index = stride; index < text.length; index += 1) {
    const goesOn = text.charCodeAt(index) - text.charCodeAt(index - stride) === step;
    run = goesOn ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

const repeatedLength = 7;

/** A longer text, such as a private key, repeats a few characters by chance. */
const mostForRepetition = 300;

function hasRepetition(text: string): boolean {
  if (text.length > mostForRepetition) {
    return false;
  }
  const seen = new Set<string>();
  for (let index = 0; index + repeatedLength <= text.length; index += 1) {
    const part = text.slice(index, index + repeatedLength);
    if (seen.has(part)) {
      return true;
    }
    seen.add(part);
  }
  return false;
}
