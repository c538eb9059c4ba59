import * as v from 'valibot';
import type { HttpResponse } from '../http.ts';
import type { File, TreeEntry } from './git.ts';
import { type Call, noContent, ok, paged, type Routes } from './route.ts';
import { commitFile, moveRef, notFound, Refusal } from './state.ts';

/** GitHub's limits of "Get a tree" with `recursive`: entries, and bytes. */
const maxEntries = 100_000;
const maxTreeBytes = 7_000_000;

/** GitHub's limit of "Get a blob". */
const maxBlobBytes = 100_000_000;

/** GitHub lists no more files of a comparison. */
const maxFiles = 300;

const refBody = v.object({ ref: v.string(), sha: v.string() });
const moveBody = v.object({
  sha: v.string(),
  force: v.optional(v.union([v.boolean(), v.string()])),
});
const fileBody = v.object({
  message: v.string(),
  content: v.optional(v.string(), ''),
  branch: v.optional(v.string()),
  sha: v.optional(v.string()),
});

/** Commits, refs and files. */
export const gitRoutes: Routes = {
  async 'GET /repos/{repo}/git/trees/{sha}'({ repository: { git }, part, query }) {
    const found = await git.read(part('sha'));
    const entries = found && git.tree(found.sha, query.has('recursive'));
    return found === undefined || entries === undefined
      ? ok(notFoundBody, 404)
      : showTree(found.sha, entries);
  },
  async 'GET /repos/{repo}/git/blobs/{sha}'({ repository: { git }, part }) {
    const found = await git.read(part('sha'));
    return found?.type === 'blob' ? showBlob(found.sha, found.content) : ok(notFoundBody, 404);
  },
  'GET /repos/{repo}/git/ref/{ref+}': (call) =>
    ok(showRef(call, `refs/${call.part('ref')}`, commitAt(call, `refs/${call.part('ref')}`).sha)),
  'GET /repos/{repo}/git/matching-refs/{ref+}': (call) =>
    ok(
      call.repository.git
        .refs(`refs/${call.part('ref')}`)
        .map(({ ref, sha }) => showRef(call, ref, sha)),
    ),
  'POST /repos/{repo}/git/refs'(call) {
    const { ref, sha } = call.body(refBody);
    if (call.repository.git.sha(ref) !== undefined) {
      throw new Refusal(422, 'Reference already exists');
    }
    moveRef(call.state, call.repository, ref, sha);
    return ok(showRef(call, ref, sha), 201);
  },
  'PATCH /repos/{repo}/git/refs/{ref+}'(call) {
    const { sha, force } = call.body(moveBody);
    const ref = `refs/${call.part('ref')}`;
    const { git } = call.repository;
    const old = git.sha(ref);
    if (old === undefined) {
      throw new Refusal(422, 'Reference does not exist');
    }
    if (String(force) !== 'true' && git.mergeBase(old, sha) !== old) {
      throw new Refusal(422, 'Update is not a fast forward');
    }
    moveRef(call.state, call.repository, ref, sha);
    return ok(showRef(call, ref, sha));
  },
  'DELETE /repos/{repo}/git/refs/{ref+}'(call) {
    const ref = `refs/${call.part('ref')}`;
    if (call.repository.git.sha(ref) === undefined) {
      throw new Refusal(422, 'Reference does not exist');
    }
    moveRef(call.state, call.repository, ref, undefined);
    return noContent;
  },
  'GET /repos/{repo}/commits/{ref+}'(call) {
    const { git, name } = call.repository;
    const commit = commitAt(call, call.part('ref'));
    const [parent] = commit.parents;
    const files = parent === undefined ? [] : git.diff(parent, commit.sha);
    return ok({ ...call.show.commit(name, commit), files });
  },
  'GET /repos/{repo}/compare/{base+}...{head+}': compare,
  async 'GET /repos/{repo}/contents/{path+}'({ repository, part, query, request, show }) {
    const { git, name, defaultBranch = 'main' } = repository;
    const path = part('path');
    const found = await git.read(`${query.get('ref') ?? defaultBranch}:${path}`);
    if (found?.type !== 'blob') {
      throw notFound();
    }
    if (/\braw\b/.test(request.accept)) {
      return ok(found.content);
    }
    const content = wrapped(found.content);
    const url = `${show.repository(repository).url}/contents/${path}`;
    const file = { name: path.split('/').at(-1), path, sha: found.sha, url };
    return ok({
      type: 'file',
      ...file,
      size: found.content.length,
      content,
      encoding: 'base64',
      repository: name,
    });
  },
  'PUT /repos/{repo}/contents/{path+}': async (call) =>
    await writeFile(call, Buffer.from(call.body(fileBody).content, 'base64')),
  'DELETE /repos/{repo}/contents/{path+}': (call) => writeFile(call, null),
};

const notFoundBody = { message: 'Not Found' };

/** @throws {Refusal} */
function commitAt({ repository: { git } }: Call, revision: string) {
  const found = git.find(revision);
  if (found === undefined) {
    throw notFound();
  }
  return found;
}

function showRef({ show, repository }: Call, ref: string, sha: string) {
  const { url } = show.repository(repository);
  return { ref, url: `${url}/git/${ref}`, object: { type: 'commit', sha } };
}

function showTree(sha: string, entries: readonly TreeEntry[]): HttpResponse {
  const tree: TreeEntry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    bytes += JSON.stringify(entry).length;
    if (tree.length === maxEntries || bytes > maxTreeBytes) {
      break;
    }
    tree.push(entry);
  }
  return ok({ sha, tree, truncated: tree.length < entries.length });
}

function showBlob(sha: string, bytes: Buffer): HttpResponse {
  if (bytes.length > maxBlobBytes) {
    const message = 'This API returns blobs up to 100 MB in size.';
    return ok({ message, errors: [{ code: 'too_large' }] }, 403);
  }
  return ok({ sha, size: bytes.length, content: wrapped(bytes), encoding: 'base64' });
}

function wrapped(bytes: Buffer): string {
  return bytes.toString('base64').replace(/.{60}/g, '$&\n');
}

function compare(call: Call): HttpResponse {
  const { git, name } = call.repository;
  const [base, head] = [commitAt(call, call.part('base')), commitAt(call, call.part('head'))];
  const mergeBase = commitAt(call, git.mergeBase(base.sha, head.sha) ?? '');
  const ahead = git.commitsBetween(base.sha, head.sha);
  const behind = git.commitsBetween(head.sha, base.sha);
  const show = (commit: typeof base) => call.show.commit(name, commit);
  // Only the first page has files.
  const isFirst = Number(call.query.get('page') ?? 1) === 1;
  return paged(call, ahead, (page) => ({
    html_url: `${call.show.repository(call.repository).html_url}/compare/${call.part('base')}...${call.part('head')}`,
    base_commit: show(base),
    merge_base_commit: show(mergeBase),
    status: relation(ahead.length, behind.length),
    ahead_by: ahead.length,
    behind_by: behind.length,
    total_commits: ahead.length,
    commits: page.map(show),
    files: isFirst ? git.diff(mergeBase.sha, head.sha).slice(0, maxFiles) : [],
  }));
}

function relation(ahead: number, behind: number) {
  if (ahead === 0) {
    return behind === 0 ? 'identical' : 'behind';
  }
  return behind === 0 ? 'ahead' : 'diverged';
}

/** Commits a new, changed or deleted file to a branch. */
async function writeFile(call: Call, content: File | null): Promise<HttpResponse> {
  const { repository, part, login, show, state } = call;
  const { git, name, defaultBranch = 'main' } = repository;
  const { message, branch = defaultBranch, sha } = call.body(fileBody);
  const path = part('path');
  const old = await git.read(`${branch}:${path}`);
  // As on GitHub, whoever replaces a file has to give the SHA of the old one.
  if (old !== undefined && old.sha !== sha) {
    throw sha === undefined
      ? new Refusal(422, 'Invalid request.\n\n"sha" wasn\'t supplied.')
      : new Refusal(409, `${path} does not match ${sha}`);
  }
  if (content === null && old === undefined) {
    throw notFound();
  }
  const made = commitFile(state, repository, { branch, path, content, login, message });
  const commit = show.gitCommit(name, commitAt(call, made));
  return ok({ content: content === null ? null : { path }, commit }, old === undefined ? 201 : 200);
}
