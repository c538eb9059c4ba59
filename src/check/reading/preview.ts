import { ownerAndRepo } from '../../github/names.ts';
import { ask, type Call, type Read, type RepositoryDeps } from '../../github/request.ts';

/**
 * Finds the docs as Mintlify shows them before the merge: a deployment's address, or the link of a check
 * that passed. Mintlify documents neither name, so this is a guess from workflows in public; without
 * access (`deployments: read`, `checks: read`), or without a preview, there is no link.
 *
 * @returns https; empty for none
 */
export async function readPreviewLink(commit: string, deps: RepositoryDeps): Promise<string> {
  const asked = { ...ownerAndRepo(deps.repository), ref: commit, per_page: 100 };
  const links = await Promise.all([
    readDeployedLink(commit, deps),
    readLinks(
      deps,
      ({ rest }) => rest.checks.listForRef({ ...asked, filter: 'latest' }),
      ({ check_runs: runs }) =>
        runs
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
  const repository = ownerAndRepo(deps.repository);
  const [newest] = await readLinks(
    deps,
    ({ rest }) => rest.repos.listDeployments({ ...repository, sha: commit, per_page: 10 }),
    (deployments) =>
      deployments.filter(({ creator }) => isVendor(creator?.login)).map(({ id }) => id),
  );
  if (newest === undefined) {
    return [];
  }
  const asked = { ...repository, deployment_id: newest, per_page: 1 };
  return await readLinks(
    deps,
    ({ rest }) => rest.repos.listDeploymentStatuses(asked),
    (statuses) =>
      statuses.filter(({ state }) => state === 'success').map(({ environment_url: link }) => link),
  );
}

type MaybeLink = string | null | undefined;

/** Reads something that is shown and decides nothing; none where it cannot be read. */
async function readLinks<Data, Item>(
  deps: RepositoryDeps,
  call: Call<Data>,
  read: Read<Data, readonly Item[]>,
): Promise<readonly Item[]> {
  const outcome = await ask(deps, call, read);
  return outcome.kind === 'ok' ? outcome.value : [];
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
