import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const packageSchema = v.object({ name: v.string(), version: v.string(), license: v.string() });

/** The bundler puts a few lines of its own into what it makes. */
const bundler = 'rolldown';

/**
 * The licenses of everything that was bundled.
 *
 * @param modules paths of the bundled modules
 * @param modulesFolder path of `node_modules`
 * @throws when a bundled package has no license text
 */
export function licensesOf(modules: readonly string[], modulesFolder: string): string {
  return [...new Set([bundler, ...modules.flatMap(packageOf)])]
    .sort()
    .map((name) => licenseOf(join(modulesFolder, name)))
    .join('\n');
}

/** The name of the package that a module belongs to; nothing for a module of ours. */
function packageOf(path: string): readonly string[] {
  const name = /.*node_modules[\\/]((?:@[\w.-]+[\\/])?[\w.-]+)[\\/]/.exec(path)?.[1];
  return name === undefined ? [] : [name.replaceAll('\\', '/')];
}

function licenseOf(folder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version, license } = v.parse(packageSchema, manifest);
  const file = readdirSync(folder).find((candidate) => /^licen[cs]e/i.test(candidate));
  if (file === undefined) {
    throw new Error(`${name} has no license text.`);
  }
  const text = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}
