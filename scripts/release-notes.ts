import { readFileSync } from 'node:fs';
import { actions, subfolderOf } from './actions.ts';

/**
 * The notes of a release: its section of the changelog, and how to pin it.
 *
 * @param version the tag, such as `v1.2.3`
 * @param sha the commit that the tag names
 * @param packageText text of package.json, whose version must be that of the tag
 * @throws when the changelog has no section for the version, or package.json has another version
 */
export function releaseNotes(
  changelog: string,
  packageText: string,
  version: string,
  sha: string,
): string {
  const { version: present, repository }: Record<string, unknown> = JSON.parse(packageText);
  if (`v${present}` !== version) {
    throw new Error(`package.json has the version ${present}, but the tag is ${version}.`);
  }
  const section = changelog
    .split(/^## /m)
    .find(
      (part) => part.startsWith(`${version.slice(1)} `) || part.startsWith(`${version.slice(1)}\n`),
    );
  if (section === undefined) {
    throw new Error(`CHANGELOG.md has no section ${version.slice(1)}.`);
  }
  const notes = section.slice(section.indexOf('\n')).trim();
  const name = String(repository).replace('github:', '');
  const uses = actions.map((action) => `uses: ${name}${subfolderOf(action)}@${sha} # ${version}`);
  return `${notes}

## Pin it

\`\`\`yaml
${uses.join('\n')}
\`\`\`

Every file of \`dist\` has a provenance attestation: \`gh attestation verify dist/agent/index.js --repo ${name}\`.
`;
}

if (import.meta.main) {
  const [version = '', sha = ''] = process.argv.slice(2);
  const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
  process.stdout.write(releaseNotes(read('CHANGELOG.md'), read('package.json'), version, sha));
}
