import { isMap, isScalar, isSeq, parseDocument, visit } from 'yaml';
import { inputError } from '../text/error.ts';

/**
 * Parses an input that takes a YAML mapping; an empty input has no entries. A name that is not a scalar is empty.
 *
 * Scalars are kept exactly as written, so that `1.10` stays `1.10`, and `off` is no boolean. Lists and mappings become
 * compact JSON. Anchors and aliases are refused, because a few lines of them can expand to gigabytes.
 *
 * @param example what to write instead
 * @throws ActionError for anything else
 */
export function readYamlMapping(
  input: string,
  text: string,
  example: string,
): ReadonlyMap<string, string> {
  const document = parseDocument(text, { strict: true, uniqueKeys: true });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) {
    const line = problem.linePos?.[0].line ?? 1;
    throw inputError(
      input,
      `cannot be read as YAML (line ${line})`,
      `${example}, and quote a value that has ": " or " #" in it`,
    );
  }
  if (document.contents === null) {
    return new Map();
  }
  // An alias refers to an anchor, so it is enough to refuse anchors.
  visit(document, {
    Node(_key, node) {
      if ('anchor' in node && node.anchor !== undefined) {
        throw inputError(input, 'uses a YAML anchor', 'repeat the value instead');
      }
    },
  });
  if (!isMap(document.contents)) {
    throw inputError(input, 'is not a YAML mapping', example);
  }
  return new Map(
    document.contents.items.map(({ key, value }) => [
      asWritten(key) ?? '',
      // `{a, b: 1}` has no value for a.
      value === null ? '' : (asWritten(value) ?? toJson(value)),
    ]),
  );
}

/** The source text of a plain scalar, or the content of a quoted or block scalar; `undefined` for any other node. */
function asWritten(node: unknown): string | undefined {
  if (!isScalar(node)) {
    return undefined;
  }
  return node.type === 'PLAIN' ? (node.source ?? '') : String(node.value ?? '');
}

/** Writes compact JSON. A number stays as it was written if that is valid JSON. */
function toJson(node: unknown): string {
  if (isMap(node)) {
    const fields = node.items.map(
      ({ key, value }) => `${JSON.stringify(asWritten(key) ?? toJson(key))}:${toJson(value)}`,
    );
    return `{${fields.join(',')}}`;
  }
  if (isSeq(node)) {
    return `[${node.items.map(toJson).join(',')}]`;
  }
  const { value, source = '' } = isScalar(node) ? node : {};
  const isJsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(source);
  return typeof value === 'number' && isJsonNumber ? source : JSON.stringify(value ?? null);
}
