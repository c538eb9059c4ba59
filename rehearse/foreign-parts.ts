import { PRODUCT_REPOSITORY } from '../sandbox/github/seed.ts';
import { findAll, isCheckout, isElsewhere, writtenOut } from './uses.ts';
import type { Part } from './workflow-file.ts';

/** A step or a job that uses what lies in another repository. */
export interface ForeignPart {
  /** What stands after `uses:`. */
  readonly uses: string;
  /** What it does with it, where the file says so: a step's name, or what it checks out. */
  readonly purpose: string | undefined;
  /** Its outputs that something else reads. */
  readonly outputs: readonly string[];
}

/**
 * @param expressions all that may read the outputs of a step or a job
 * @param isOurs whether it uses this repository, by whatever owner
 */
export function findForeignParts(
  parts: readonly Part[],
  expressions: string,
  isOurs: (uses: string) => boolean,
): readonly ForeignPart[] {
  return parts.flatMap(({ uses, id, name, with: inputs }) => {
    if (uses === undefined || !isElsewhere(uses) || isOurs(uses)) {
      return [];
    }
    if (isCheckout(uses)) {
      // One of this repository is played.
      const [repository = PRODUCT_REPOSITORY] = writtenOut(inputs['repository']);
      return repository === PRODUCT_REPOSITORY
        ? []
        : [{ uses, purpose: `of ${repository}`, outputs: [] }];
    }
    return [{ uses, purpose: name, outputs: outputsOf(id ?? '', expressions) }];
  });
}

function outputsOf(id: string, expressions: string): readonly string[] {
  return /^[\w-]+$/.test(id)
    ? findAll(expressions, new RegExp(String.raw`\b(?:steps|needs)\.${id}\.outputs\.([\w-]+)`, 'g'))
    : [];
}
