import { connection, type PageArguments, pageSize } from './graphql-connection.ts';
import {
  type GitCommit,
  type GitEntry,
  type GitObjectName,
  type GitStore,
  typeOfMode,
} from './store.ts';

/* What the fields of graphql-schema.ts return: values, or functions of the field's arguments. */

/** A repository that GraphQL can read. */
export interface ReadableRepository {
  readonly store: GitStore;
  readonly defaultBranch: string;
  readonly isPrivate: boolean;
}

/** GitHub cuts a blob's text here. */
const maxTextBytes = 512_000;

/** Like git, GitHub takes a file with a NUL near its beginning as binary. */
const probedBytes = 8000;

/** @param name `owner/name` */
export function repositoryObject(name: string, repository: ReadableRepository) {
  const { store, defaultBranch, isPrivate } = repository;
  const objects = gitObjects(name, repository);
  const refObject = async (branch: string) => {
    const target = await store.resolve(branch);
    return (
      target && {
        id: `REF_${name}_${branch}`,
        name: branch,
        prefix: 'refs/heads/',
        target: () => objects.show(target),
      }
    );
  };
  return {
    id: `R_${name}`,
    isPrivate,
    name: name.split('/')[1],
    nameWithOwner: name,
    defaultBranchRef: () => refObject(defaultBranch),
    ref: ({ qualifiedName }: { qualifiedName: string }) =>
      refObject(qualifiedName.replace(/^refs\/heads\//, '')),
    async object({ expression, oid }: { expression?: string; oid?: string }) {
      const found = await store.resolve(oid ?? expression ?? '');
      return found && objects.show(found);
    },
  };
}

function gitObjects(repositoryName: string, repository: ReadableRepository) {
  const { store } = repository;
  const common = (type: string, oid: string) => ({
    __typename: type,
    abbreviatedOid: oid.slice(0, 7),
    id: `${type}_${oid}`,
    oid,
    repository: () => repositoryObject(repositoryName, repository),
  });

  async function show({ type, sha }: GitObjectName) {
    switch (type) {
      case 'blob':
        return blobObject(sha);
      case 'tree':
        return treeObject(sha, '');
      case 'commit':
        return commitObject(sha);
      case 'tag':
        return undefined;
    }
  }

  async function blobObject(sha: string) {
    const bytes = await store.blob(sha);
    if (bytes === undefined) {
      return undefined;
    }
    const isBinary = bytes.subarray(0, probedBytes).includes(0);
    return {
      ...common('Blob', sha),
      byteSize: bytes.length,
      isBinary,
      isTruncated: bytes.length > maxTextBytes,
      text: isBinary ? null : bytes.subarray(0, maxTextBytes).toString('utf8'),
    };
  }

  function treeObject(sha: string, prefix: string) {
    return {
      ...common('Tree', sha),
      entries: async () =>
        (await store.tree(sha))
          ?.filter(({ path }) => !path.includes('/'))
          .map((entry) => entryObject(entry, prefix + entry.path)),
    };
  }

  function entryObject({ mode, sha, bytes }: GitEntry, path: string) {
    const name = path.split('/').at(-1) ?? '';
    const type = typeOfMode(mode);
    return {
      extension: /\.[^.]+$/.exec(name)?.[0] ?? '',
      mode: Number.parseInt(mode, 8),
      name,
      nameRaw: Buffer.from(name).toString('base64'),
      object: () => (type === 'tree' ? treeObject(sha, `${path}/`) : show({ type, sha })),
      oid: sha,
      path,
      pathRaw: Buffer.from(path).toString('base64'),
      repository: () => repositoryObject(repositoryName, repository),
      size: bytes ?? 0,
      type,
    };
  }

  async function commitObject(sha: string) {
    const commit = await store.commit(sha);
    return commit && { ...common('Commit', sha), ...describe(commit), ...leadingOn(commit) };
  }

  function leadingOn({ sha, parents, treeSha }: GitCommit) {
    const page = (shas: readonly string[], args: PageArguments, name: string) =>
      connection(shas, args, name, commitObject);
    return {
      tree: () => treeObject(treeSha, ''),
      file: async ({ path }: { path: string }) => {
        const entry = (await store.tree(sha))?.find((each) => each.path === path);
        return entry && entryObject(entry, path);
      },
      parents: (args: PageArguments) => page(parents, args, 'parents'),
      async history({ path = '', ...args }: PageArguments & { path?: string }) {
        // One more tells whether there is a next page.
        const most = pageSize(args, 'history') + Number(args.after ?? 0) + 1;
        return page(await store.history(sha, path, most), args, 'history');
      },
    };
  }

  return { show };
}

function describe({ message, author, authoredAt, committedAt }: GitCommit) {
  const [headline = '', ...body] = message.trimEnd().split('\n');
  return {
    author: { ...author, date: authoredAt, user: null },
    authoredDate: authoredAt,
    committedDate: committedAt,
    message: message.trimEnd(),
    messageBody: body.join('\n').trim(),
    messageHeadline: headline,
  };
}
