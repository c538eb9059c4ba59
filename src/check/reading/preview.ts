import { type Parameters, type Read, readResponse } from '../../github/request.ts';
import type { RepositoryDeps } from './tree.ts';

/**
 * Finds the docs as Mintlify shows them before the merge: a deployment's address, or the link of a check
 * that passed. Mintlify documents neither name, so this is a guess from workflows in public; without
 * access (`deployments: read`, `checks: read`), or without a preview, there is no link.
 *
 * @returns https; empty for none
 */
export async function readPreviewLink(commit: string, deps: RepositoryDeps): Promise<string> {
  const ofCommit = { ref: commit, per_page: 100 };
  const links = await Promise.all([
    readDeployedLink(commit, deps),
    readLinks(deps, 'commits/{ref}/check-runs', { ...ofCommit, filter: 'latest' }, (body) =>
      body.check_runs
        .filter(({ name, app }) => isVendor(name) || isVendor(app?.slug))
        .filter(({ conclusion }) => conclusion === 'success')
        .map(({ details_url: link }) => link),
    ),
  ]);
  return links.flat().map(httpsLink).find(Boolean) ?? '';
}

/** The address that the newest status of the newest deployment names. */
async function readDeployedLink(
  commit: string,
  deps: RepositoryDeps,
): Promise<readonly MaybeLink[]> {
  const ofCommit = { sha: commit, per_page: 10 };
  const [newest] = await readLinks(deps, 'deployments', ofCommit, (deployments) =>
    deployments.filter(({ creator }) => isVendor(creator?.login)).map(({ id }) => String(id)),
  );
  if (!newest) {
    return [];
  }
  const ofDeployment = { deployment_id: newest, per_page: 1 };
  return await readLinks(deps, 'deployments/{deployment_id}/statuses', ofDeployment, (statuses) =>
    statuses.filter(({ state }) => state === 'success').map(({ environment_url: link }) => link),
  );
}

type MaybeLink = string | null | undefined;

/** Reads something that is shown and decides nothing; none where it cannot be read. */
async function readLinks<Route extends string>(
  deps: RepositoryDeps,
  route: Route,
  parameters: Parameters,
  read: Read<`GET /repos/{owner}/{repo}/${Route}`, readonly MaybeLink[]>,
): Promise<readonly MaybeLink[]> {
  const path = `GET /repos/{owner}/{repo}/${route}` as const;
  const question = { route: path, repository: deps.repository, parameters };
  const reading = await readResponse(question, deps, read);
  return reading.kind === 'read' ? reading.value : [];
}

function isVendor(name = ''): boolean {
  return name.toLowerCase().startsWith('mintlify');
}

/** The link as URL parsers read it; empty if it is none that a report may show. */
function httpsLink(text: MaybeLink): string {
  const url = !text || text.length > 2000 ? null : URL.parse(text);
  const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === '';
  return isPlain ? url.href : '';
}
