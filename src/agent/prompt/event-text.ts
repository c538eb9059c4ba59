import { type BoundedResult, runBounded, workerBeside } from '../../runner/bounded-process.ts';
import { isPlainField } from './event-field.ts';
import {
  addCounts,
  type HiddenCounts,
  mayHide,
  type VisibleText,
  visiblePlainText,
} from './hidden/visible-text.ts';

/** A field of the event that a placeholder names. */
export interface AskedField {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** The texts of the fields, in the same order. */
export interface FieldTexts {
  readonly texts: readonly string[];
  readonly removed: HiddenCounts;
}

/**
 * Longer than a runner needs for 64 kB, GitHub's limit for an issue, and short enough that the step
 * starts the job or fails within 4 s, unless the machine is busy.
 */
const readingTimeoutMs = 2_500;

/** Five times as much as the largest realistic text needed in tests. */
const readingMemoryMb = 512;

/**
 * Turns fields into text, and removes what readers of GitHub's page cannot see. Null becomes an empty
 * string. A list or mapping becomes compact JSON, and the name of each text in it decides how that text
 * is read.
 *
 * Text that cannot hide anything is not parsed, so most runs load no parser.
 *
 * @throws the signal's reason if the run is cancelled
 */
export async function readFieldTexts(
  fields: readonly AskedField[],
  signal: AbortSignal,
): Promise<BoundedResult<FieldTexts>> {
  const markdown = new Set<string>();
  for (const { value, path } of fields) {
    mapTexts(value, path, (text, name) => {
      if (needsParser(text, name)) {
        markdown.add(text);
      }
      return text;
    });
  }
  const parsed = await parse([...markdown], signal);
  if (parsed.kind === 'exhausted') {
    return parsed;
  }
  const removed: HiddenCounts[] = [];
  const texts = fields.map(({ value, path }) =>
    toText(
      mapTexts(value, path, (text, name) => {
        const parsedText = needsParser(text, name) ? parsed.output.get(text) : undefined;
        const visible = parsedText ?? visiblePlainText(text);
        removed.push(visible.removed);
        return visible.text;
      }),
    ),
  );
  return { kind: 'done', output: { texts, removed: addCounts(removed) } };
}

function needsParser(text: string, path: readonly string[]): boolean {
  return !isPlainField(path) && mayHide(text);
}

async function parse(
  texts: readonly string[],
  signal: AbortSignal,
): Promise<BoundedResult<ReadonlyMap<string, VisibleText>>> {
  if (texts.length === 0) {
    return { kind: 'done', output: new Map() };
  }
  const result = await runBounded<readonly string[], readonly VisibleText[]>(
    workerBeside(import.meta.url, 'visible-text.worker'),
    texts,
    { timeoutMs: readingTimeoutMs, memoryMb: readingMemoryMb, signal },
  );
  if (result.kind === 'exhausted') {
    return result;
  }
  const pairs = result.output.map((visible, index) => [texts[index] ?? '', visible] as const);
  return { kind: 'done', output: new Map(pairs) };
}

/** Returns a copy of a value with every text in it replaced. */
function mapTexts(
  value: unknown,
  path: readonly string[],
  replace: (text: string, path: readonly string[]) => string,
): unknown {
  if (typeof value === 'string') {
    return replace(value, path);
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => mapTexts(item, [...path, String(index)], replace));
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value).map(([name, item]) => [
          name,
          mapTexts(item, [...path, name], replace),
        ]),
      )
    : value;
}

function toText(value: unknown): string {
  if (value === null) {
    return '';
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
