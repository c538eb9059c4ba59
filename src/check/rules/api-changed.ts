import { counted, listed, shortened } from '../../text/plain.ts';
import type { Change } from '../change.ts';
import type { FrontMatterField, Page } from '../docs/page.ts';
import type { Finding } from '../old-finding.ts';
import { changedDescriptions } from './compare.ts';

const longestValue = 120;

/** More names, or more findings of one file, say no more. */
const mostNamed = 3;

/** API descriptions that lost operations, or that send the requests of readers elsewhere. */
export function apiChanged(change: Change): readonly Finding[] {
  return changedDescriptions(change).flatMap(({ file, before, after }) =>
    before === undefined || after === undefined || hasProblem(before) || hasProblem(after)
      ? []
      : [...lostOperations(before, after), ...changedFields(before, after)].map((finding) => ({
          rule: 'api-changed' as const,
          file: file.path,
          ...finding,
        })),
  );
}

function hasProblem({ problem }: Page): boolean {
  return problem !== undefined;
}

type What = Pick<Finding, 'what' | 'was'>;

function lostOperations(before: Page, after: Page): readonly What[] {
  const left = new Set(namesOf(after));
  const lost = namesOf(before).filter((name) => !left.has(name));
  if (lost.length === 0) {
    return [];
  }
  const rest = lost.length - mostNamed;
  const names = [...lost.slice(0, mostNamed), ...(rest > 0 ? [`${rest} more`] : [])];
  return [{ what: `has lost ${counted(lost.length, 'operation')}: ${listed(names)}` }];
}

function namesOf({ frontMatter }: Page): readonly string[] {
  return frontMatter.filter(isOperation).map(({ name }) => name.slice(operation.length));
}

const operation = 'operation ';

/** Begins the name of a scheme for authentication. */
const schemePlace = 'components securitySchemes ';

function isOperation({ name }: FrontMatterField): boolean {
  return name.startsWith(operation);
}

function changedFields(before: Page, after: Page): readonly What[] {
  const [old, now] = [before, after].map(settingsOf);
  const names = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])]);
  const left = new Set(namesOf(after).map(lastWord));
  const paths = new Set(
    namesOf(before)
      .map(lastWord)
      .filter((path) => left.has(path)),
  );
  const changed = [...names].flatMap((name) => {
    const [was, is] = [old?.get(name), now?.get(name)];
    // A new operation or scheme may say what it likes of its security; where it leads, new-domain judges.
    const isNew = was === undefined && name.startsWith(schemePlace);
    return was === is || isNew || !isOfOld(name, paths)
      ? []
      : [
          {
            what:
              is === undefined
                ? `has no ${name} any more`
                : `sets ${name} to ${shortened(is, longestValue)}`,
            ...(was === undefined ? {} : { was }),
          },
        ];
  });
  return changed.slice(0, mostNamed);
}

/** Whether a field is one of the whole description, or of a path that was there and still is. */
function isOfOld(name: string, paths: ReadonlySet<string>): boolean {
  const owner = name.slice(0, Math.max(name.lastIndexOf(' '), 0));
  return owner === '' || name.startsWith(schemePlace) || paths.has(lastWord(owner));
}

function lastWord(text: string): string {
  return text.slice(text.lastIndexOf(' ') + 1);
}

function settingsOf({ frontMatter }: Page): ReadonlyMap<string, string> {
  return new Map(
    frontMatter.filter((field) => !isOperation(field)).map(({ name, json }) => [name, json]),
  );
}
