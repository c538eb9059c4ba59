import { isMap, isScalar, parseDocument, type Scalar, visit } from 'yaml';
import { inputError } from '../text/error.ts';

export interface YamlPair {
  /** The key; empty if the key is not a scalar. */
  readonly name: string;
  /** A node of the parser. */
  readonly value: unknown;
}

/**
 * Parses an input that takes a YAML mapping; an empty input has no pairs. Anchors and aliases are refused,
 * because a few lines of them can expand to gigabytes.
 *
 * @param example what to write instead
 * @throws ActionError for anything else
 */
export function readYamlPairs(input: string, text: string, example: string): readonly YamlPair[] {
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
    return [];
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
  return document.contents.items.map(({ key, value }) => ({
    name: isScalar(key) ? asWritten(key) : '',
    value,
  }));
}

/** The source text of a plain scalar, or the content of a quoted or block scalar. */
export function asWritten(scalar: Scalar): string {
  return scalar.type === 'PLAIN' ? (scalar.source ?? '') : String(scalar.value ?? '');
}
