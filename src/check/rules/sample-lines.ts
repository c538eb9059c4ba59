import type { Sample } from '../docs/page.ts';
import { oncePer } from '../once-per.ts';

/**
 * The lines of code, without comments, spaces at an end, and the indentation: that of each line where it
 * means nothing in a language, otherwise that of the whole.
 */
export const significantLines = oncePer(readLines);

function readLines({ lines, language }: Sample): readonly string[] {
  const marks = marksOf(language.toLowerCase());
  const written = lines
    .map((line) => withoutComment(line, marks).trimEnd())
    .filter((line) => line !== '');
  if (braces.test(language.toLowerCase()) && !lines.some((line) => textOfLines.test(line))) {
    return written.map((line) => line.trimStart());
  }
  const indentations = written.map((line) => line.length - line.trimStart().length);
  const indentation = indentations.reduce((least, one) => Math.min(least, one), Infinity);
  return written.map((line) => line.slice(indentation));
}

const slashes =
  /^(?:jsx?|tsx?|[cm][jt]s|javascript|typescript|jsonc|json5|java|kotlin|kt|scala|swift|go|golang|rust|rs|c|h|cc|cpp|c\+\+|hpp|objc|objective-c|cs|csharp|c#|dart|php|groovy|gradle|proto|protobuf|prisma|solidity|sol|zig|scss|less)$/u;
/** A sample without a language is mostly one for a shell. In a console, the mark can be a prompt. */
const hashes =
  /^(?:|bash|sh|shell|zsh|fish|ksh|shellscript|python|py|python3|ruby|rb|perl|pl|r|yaml|yml|toml|dockerfile|docker|makefile|make|powershell|pwsh|ps1|elixir|ex|exs|graphql|gql|ini|env|dotenv|properties|conf|nginx|hcl|tf|terraform|julia|nix|cmake|php)$/u;

const braces =
  /^(?:json[c5]?|jsx?|tsx?|[cm][jt]s|javascript|typescript|java|kotlin|kt|swift|go|golang|c|h|cc|cpp|c\+\+|hpp|cs|csharp|c#|dart|css|scss|less|proto|protobuf|prisma|solidity|sol)$/u;

/** Begins a text of several lines, in which every space counts. */
const textOfLines = /`|"""|'''|@"|R"/u;

/** What begins a comment in a language; nothing where that is not known. */
function marksOf(language: string): readonly string[] {
  return [...(slashes.test(language) ? ['//'] : []), ...(hashes.test(language) ? ['#'] : [])];
}

const quotes = new Set(['"', "'", '`']);

/**
 * The code of a line. A comment begins with a mark and a space, at the beginning of a line or after a
 * space; what begins inside a string is none. Takes one pass: a hostile line may be very long.
 */
function withoutComment(line: string, marks: readonly string[]): string {
  // Whether a quote is escaped, each language decides for itself.
  if (marks.length === 0 || line.includes('\\')) {
    return line;
  }
  let quote: string | undefined;
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (quote !== undefined || quotes.has(character)) {
      quote = quoteAfter(character, quote);
    } else if (beginsComment(line, index, marks)) {
      return line.slice(0, index);
    }
  }
  return line;
}

function quoteAfter(character: string, quote: string | undefined): string | undefined {
  return quote === undefined ? character : character === quote ? undefined : quote;
}

function beginsComment(line: string, index: number, marks: readonly string[]): boolean {
  return (
    isSpace(line, index - 1) &&
    marks.some((mark) => line.startsWith(mark, index) && isSpace(line, index + mark.length))
  );
}

/** The ends of a line count as spaces. Other characters that end a line for some programs do not. */
function isSpace(line: string, index: number): boolean {
  return index < 0 || index >= line.length || line[index] === ' ' || line[index] === '\t';
}
