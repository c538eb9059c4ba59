import type { Call, Verdict } from './call.ts';

/** How a run with one fault ended, for the table. */
interface Cell {
  readonly fault: string;
  readonly call: string;
  readonly text: string;
}

/** Collects the results for the committed table. */
export class Results {
  readonly #cells: Cell[] = [];
  readonly #calls: readonly string[];
  readonly #rows: readonly string[];

  /** Rows and columns in their order, because runs end in any order. */
  constructor(calls: readonly Call[], rows: readonly string[]) {
    this.#calls = calls.map(({ name }) => name);
    this.#rows = rows;
  }

  add(fault: string, call: Call, verdict: Verdict): void {
    this.#cells.push({ fault, call: call.name, text: describeVerdict(verdict) });
  }

  get count(): number {
    return this.#cells.length;
  }

  /** A Markdown table. Adjacent rows with the same results are combined. */
  toMarkdown(firstColumn: string): string {
    const lines = [
      `| ${[firstColumn, ...this.#calls].join(' | ')} |`,
      `|${'---|'.repeat(this.#calls.length + 1)}`,
      ...mergeNeighbours(this.#rows.map((name) => ({ name, cells: this.#rowOf(name) }))),
    ];
    return lines.join('\n');
  }

  #rowOf(fault: string): string {
    const texts = this.#calls.map(
      (call) => this.#cells.find((cell) => cell.fault === fault && cell.call === call)?.text,
    );
    return texts.map((text) => text ?? '(did not run)').join(' | ');
  }
}

function mergeNeighbours(rows: readonly { name: string; cells: string }[]): readonly string[] {
  const merged: { first: string; last: string; cells: string }[] = [];
  for (const { name, cells } of rows) {
    const before = merged.at(-1);
    if (before?.cells === cells && /^\d+$/.test(name)) {
      before.last = name;
    } else {
      merged.push({ first: name, last: name, cells });
    }
  }
  return merged.map(
    ({ first, last, cells }) => `| ${first === last ? first : `${first} to ${last}`} | ${cells} |`,
  );
}

const arrivalWords: Readonly<Record<Verdict['arrivals'], string>> = {
  none: ', nothing arrived',
  one: ', sent once',
  three: ', sent three times',
  several: ', repeated',
  any: '',
};

function describeVerdict({ result, reason, arrivals }: Verdict): string {
  return `${reason || result}${arrivalWords[arrivals]}`;
}
