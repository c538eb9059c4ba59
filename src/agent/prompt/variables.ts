import { readYamlMapping } from '../../common/yaml-input.ts';
import { inputError } from '../../text/error.ts';
import { quoted } from '../../text/plain.ts';
import { isVariableName, reservedNames } from './placeholders.ts';

/**
 * Parses the input `variables`: a YAML mapping of names to values.
 * @throws ActionError if the text is not such a mapping
 */
export function readVariables(text: string): ReadonlyMap<string, string> {
  const values = readYamlMapping('variables', text, 'write one "name: value" per line');
  for (const name of values.keys()) {
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
  }
  return values;
}
