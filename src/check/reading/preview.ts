import type { RepositoryDeps } from '../../github/request.ts';
import {
  readCheckLinks,
  readDeployments,
  readEnvironmentUrl,
  readStatusLinks,
} from '../github/checks.ts';

const vendor = 'mintlify';

/**
 * Finds the docs as Mintlify shows them before the merge: a deployment's address, or the link of a check
 * that passed. Mintlify documents neither name, so this is a guess from workflows in public; without
 * access, or without a preview, there is no link.
 *
 * @returns https; empty for none
 * @throws the signal's reason if the run is cancelled
 */
export async function readPreviewLink(commit: string, deps: RepositoryDeps): Promise<string> {
  const [deployed, ...links] = await Promise.all([
    readDeployedLink(commit, deps),
    readCheckLinks(commit, vendor, deps),
    readStatusLinks(commit, vendor, deps),
  ]);
  return [deployed, ...links.flat()].map(httpsLink).find((link) => link !== '') ?? '';
}

async function readDeployedLink(commit: string, deps: RepositoryDeps): Promise<string> {
  const deployments = await readDeployments(commit, deps);
  const newest = deployments.find(({ creator }) => creator.toLowerCase().startsWith(vendor));
  return newest === undefined ? '' : await readEnvironmentUrl(newest.id, deps);
}

/** The link as URL parsers read it; empty if it is none that a report may show. */
function httpsLink(text: string): string {
  const url = text.length > 2000 ? null : URL.parse(text);
  const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === '';
  return isPlain ? url.href : '';
}
