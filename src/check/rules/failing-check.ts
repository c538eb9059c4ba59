import type { Change } from '../change.ts';
import type { Finding } from '../old-finding.ts';

/** A check of the docs' vendor that fails because of this change. */
export function failingCheck({ checks }: Change): readonly Finding[] {
  const failedBefore = new Set(
    checks.before.filter(({ isFailure }) => isFailure).map(({ name }) => name),
  );
  return checks.after
    .filter(({ name, isFailure }) => isFailure && !failedBefore.has(name))
    .map(({ name, link }) => ({
      rule: 'failing-check' as const,
      file: '',
      what: `the check "${name}" fails${link === '' ? '' : `: ${link}`}`,
      ...(link === '' ? {} : { link }),
    }));
}
