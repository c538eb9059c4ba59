import { isMap, isScalar, isSeq } from 'yaml';
import { asWritten, readYamlPairs, type YamlPair } from '../../common/yaml-input.ts';
import { inputError } from '../../text/error.ts';
import { quoted } from '../../text/plain.ts';
import { isVariableName, reservedNames } from './placeholders.ts';

/**
 * Parses the input `variables`: a YAML mapping of names to values.
 *
 * Scalars are kept exactly as written, so that `1.10` stays `1.10`. Lists and mappings become compact
 * JSON. Anchors and aliases are refused, because a few lines of them can expand to gigabytes.
 *
 * @throws ActionError if the text is not such a mapping
 */
export function readVariables(text: string): ReadonlyMap<string, string> {
  return new Map(
    readYamlPairs('variables', text, 'write one "name: value" per line').map(readPair),
  );
}

function readPair({ name, value }: YamlPair): readonly [name: string, value: string] {
  if (reservedNames.includes(name)) {
    throw inputError(
      'variables',
      `has the name ${quoted(name)}, which is reserved`,
      'choose another name',
    );
  }
  if (!isVariableName(name)) {
    throw inputError(
      'variables',
      `has the name ${quoted(name)}`,
      'a name starts with a letter or "_", followed by letters, digits, "-" and "_"',
    );
  }
  return [name, isScalar(value) ? asWritten(value) : toJson(value)];
}

/** Writes compact JSON. A number stays as it was written if that is valid JSON. */
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
  const { value, source = '' } = isScalar(node) ? node : {};
  const isJsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(source);
  return typeof value === 'number' && isJsonNumber ? source : JSON.stringify(value ?? null);
}
