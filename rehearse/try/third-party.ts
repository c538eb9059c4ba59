import { PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';
import { findAll, isCheckout, isRemote, literal } from './uses.ts';
import type { Part } from './workflow-file.ts';

/** A step or a job that uses an action or a workflow of another repository. */
export interface ThirdPartyUse {
  /** The value of `uses:`. */
  readonly uses: string;
  /** The step's name, or the repository that it checks out. */
  readonly purpose: string | undefined;
  /** Its outputs that the workflow reads. */
  readonly outputs: readonly string[];
}

/**
 * @param expressions all expressions that may read the outputs of a step or a job
 * @param isOurs whether a value of `uses:` refers to this repository, under any owner
 */
export function findThirdParty(
  parts: readonly Part[],
  expressions: string,
  isOurs: (uses: string) => boolean,
): readonly ThirdPartyUse[] {
  return parts.flatMap(({ uses, id, name, with: inputs }) => {
    if (uses === undefined || !isRemote(uses) || isOurs(uses)) {
      return [];
    }
    if (isCheckout(uses)) {
      const [repository = PRODUCT_REPOSITORY] = literal(inputs['repository']);
      // The workflow's own repository can be checked out.
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
