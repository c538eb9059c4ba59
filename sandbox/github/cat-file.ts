import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

/** An object as `git cat-file --batch` prints it. */
export interface CatFileObject {
  readonly sha: string;
  readonly type: string;
  readonly content: Buffer;
}

/** Reads any number of objects by one process. */
export interface CatFile {
  /** @returns `undefined` when there is no such object, or its content is missing */
  read(name: string): Promise<CatFileObject | undefined>;
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (object: CatFileObject | undefined) => void;
  readonly reject: (error: Error) => void;
}

export function startCatFile(folder: string, env: NodeJS.ProcessEnv): CatFile {
  const child = spawn('git', ['cat-file', '--batch'], { cwd: folder, env, stdio: 'pipe' });
  const waiting: Waiting[] = [];
  const ended = endOf(child, waiting);
  let chunks: Buffer[] = [];
  let size = 0;
  let needed = 0;

  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    // An object of megabytes arrives in many chunks, which are joined once.
    if (size < needed) {
      return;
    }
    let rest: Buffer = Buffer.concat(chunks);
    for (;;) {
      const reply = takeReply(rest);
      if (reply.kind === 'incomplete') {
        needed = reply.bytes;
        break;
      }
      rest = reply.rest;
      waiting.shift()?.resolve(reply.object);
    }
    chunks = [rest];
    size = rest.length;
  });

  return {
    read(name) {
      // A line break would be a second request.
      if (/[\n\0]/.test(name)) {
        return Promise.resolve(undefined);
      }
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        child.stdin.write(`${name}\n`);
      });
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

type Reply =
  | { readonly kind: 'incomplete'; readonly bytes: number }
  | { readonly kind: 'whole'; readonly object: CatFileObject | undefined; readonly rest: Buffer };

function takeReply(buffer: Buffer): Reply {
  const lineEnd = buffer.indexOf(10);
  if (lineEnd === -1) {
    return { kind: 'incomplete', bytes: buffer.length + 1 };
  }
  const line = buffer.subarray(0, lineEnd).toString();
  const start = lineEnd + 1;
  const [, sha, type, length] = /^([0-9a-f]{40}) (\w+) (\d+)$/.exec(line) ?? [];
  if (sha === undefined || type === undefined) {
    return { kind: 'whole', object: undefined, rest: buffer.subarray(start) };
  }
  const end = start + Number(length);
  return buffer.length <= end
    ? { kind: 'incomplete', bytes: end + 1 }
    : {
        kind: 'whole',
        // A copy, so that one small object does not keep a large buffer in memory.
        object: { sha, type, content: Buffer.from(buffer.subarray(start, end)) },
        rest: buffer.subarray(end + 1),
      };
}

function endOf(child: ChildProcessWithoutNullStreams, waiting: readonly Waiting[]): Promise<void> {
  let problem = '';
  child.stderr.on('data', (chunk) => {
    problem += chunk;
  });
  // A write after the end shows as a rejected read.
  child.stdin.on('error', () => {});
  return new Promise((resolve) => {
    const finish = (error: Error) => {
      for (const { reject } of waiting) {
        reject(error);
      }
      resolve();
    };
    child.once('error', finish);
    child.once('close', () => finish(new Error(`git cat-file ended: ${problem}`)));
  });
}
