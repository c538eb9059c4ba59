import { readFileSync } from 'node:fs';
import { boolean, object, optional, parse, record, string, union } from 'valibot';
import { parse as parseYaml } from 'yaml';

const field = object({
  description: string(),
  required: optional(boolean(), false),
  default: optional(union([string(), boolean()])),
});

const manifestSchema = object({
  name: string(),
  description: string(),
  inputs: record(string(), field),
  outputs: record(string(), object({ description: string() })),
});

/** Reads an `action.yml`. */
export function readManifest(path: string) {
  return parse(manifestSchema, parseYaml(readFileSync(path, 'utf8')));
}

/** The inputs of an action as a Markdown table. */
export function inputsTable(path: string): string {
  const rows = Object.entries(readManifest(path).inputs).map(([name, input]) => [
    `\`${name}\``,
    input.required ? 'required' : defaultCell(input.default),
    cell(input.description),
  ]);
  return table(['Input', 'Default', 'Meaning'], rows);
}

/** The outputs of an action as a Markdown table. */
export function outputsTable(path: string): string {
  const rows = Object.entries(readManifest(path).outputs).map(([name, output]) => [
    `\`${name}\``,
    cell(output.description),
  ]);
  return table(['Output', 'Meaning'], rows);
}

/** Replaces the text between `<!-- name -->` and `<!-- /name -->`. */
export function replaceBlock(text: string, name: string, block: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) {
    throw new Error(`There is no block ${start} … ${end}.`);
  }
  return `${text.slice(0, from + start.length)}\n\n${block}\n\n${text.slice(to)}`;
}

/** A Markdown table. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

function defaultCell(value: string | boolean | undefined): string {
  return value === undefined || value === '' ? '' : `\`${String(value)}\``;
}

function cell(description: string): string {
  return description.trim().replaceAll('\n', ' ').replaceAll('|', '\\|');
}
