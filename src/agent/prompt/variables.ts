import { isMap, isScalar, isSeq, type Node, parseDocument, type Scalar, visit } from 'yaml';
import { InputError } from '../../runner/errors.ts';
import { quoted } from '../../text/plain.ts';
import { isVariableName, reservedNames } from './placeholders.ts';

/**
 * Parses the input `variables`: a YAML mapping of names to values.
 *
 * Scalars are kept exactly as written, so that `1.10` stays `1.10`. Lists and mappings become compact
 * JSON. Anchors and aliases are refused, because a few lines of them can expand to gigabytes.
 *
 * @throws InputError if the text is not such a mapping
 */
export function readVariables(text: string): ReadonlyMap<string, string> {
  const document = parseDocument(text, { strict: true, uniqueKeys: true });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) {
    const line = problem.linePos?.[0].line ?? 1;
    throw new InputError('variables', `cannot be read as YAML (line ${line})`, example);
  }
  if (document.contents === null) {
    return new Map();
  }
  // Every alias needs an anchor.
  visit(document, { Node: (_key, node) => refuseAnchors(node) });
  if (!isMap(document.contents)) {
    throw new InputError('variables', 'is not a YAML mapping', example);
  }
  return new Map(document.contents.items.map((pair) => readPair(pair.key, pair.value)));
}

const example = 'write one "name: value" per line';

function refuseAnchors(node: Node): void {
  if ('anchor' in node && node.anchor !== undefined) {
    throw new InputError('variables', 'uses a YAML anchor', 'repeat the value instead');
  }
}

function readPair(key: unknown, value: unknown): readonly [name: string, value: string] {
  const name = isScalar(key) ? asWritten(key) : '';
  if (reservedNames.includes(name)) {
    throw new InputError(
      'variables',
      `has the name ${quoted(name)}, which is reserved`,
      'choose another name',
    );
  }
  if (!isVariableName(name)) {
    throw new InputError(
      'variables',
      `has the name ${quoted(name)}`,
      'a name starts with a letter or "_", followed by letters, digits, "-" and "_"',
    );
  }
  return [name, isScalar(value) ? asWritten(value) : toJson(value)];
}

/** The source text of a plain scalar, or the content of a quoted or block scalar. */
function asWritten(scalar: Scalar): string {
  return scalar.type === 'PLAIN' ? (scalar.source ?? '') : String(scalar.value ?? '');
}

/** Compact JSON that keeps numbers as written if that is valid JSON. */
function toJson(node: unknown): string {
  if (isMap(node)) {
    const fields = node.items.map(({ key, value }) => {
      const name = isScalar(key) ? asWritten(key) : toJson(key);
      return `${JSON.stringify(name)}:${toJson(value)}`;
    });
    return `{${fields.join(',')}}`;
  }
  if (isSeq(node)) {
    return `[${node.items.map(toJson).join(',')}]`;
  }
  return isScalar(node) ? scalarToJson(node) : 'null';
}

function scalarToJson(scalar: Scalar): string {
  const written = scalar.source ?? '';
  const isJsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(written);
  return typeof scalar.value === 'number' && isJsonNumber
    ? written
    : JSON.stringify(scalar.value ?? null);
}
