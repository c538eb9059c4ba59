import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const packageSchema = v.object({
  name: v.string(),
  version: v.string(),
  license: v.optional(v.string()),
  /** How packages named their license until 2014. */
  licenses: v.optional(v.tuple([v.object({ type: v.string() })])),
});

/**
 * The licenses of all bundled packages, according to ncc's statistics.
 *
 * ncc's own `--license` only keeps the licenses of the last chunk.
 *
 * @param statistics ncc's statistics as JSON
 * @param modulesFolder path of `node_modules`
 * @throws when a bundled package under another license than MIT has no license text
 */
export function licensesOf(statistics: string, modulesFolder: string): string {
  const paths = statistics.matchAll(/node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\//g);
  const names = new Set([...paths].map(([, name = '']) => name));
  // The bundle also holds webpack's module loader, a few lines that ncc's license covers.
  return [...names]
    .sort()
    .map((name) => licenseOf(join(modulesFolder, name)))
    .join('\n');
}

function licenseOf(folder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version, ...named } = v.parse(packageSchema, manifest);
  const license = named.license ?? named.licenses?.[0].type;
  const file = readdirSync(folder).find((candidate) => /^licen[cs]e/i.test(candidate));
  if (file === undefined && license === 'MIT') {
    // Some packages name their license only; its text is the same for all.
    return `${name} ${version} (MIT)\n\nhttps://spdx.org/licenses/MIT.html\n`;
  }
  if (file === undefined || license === undefined) {
    throw new Error(`${name} has no license text.`);
  }
  const text = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}
