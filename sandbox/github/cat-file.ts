import { spawn } from 'node:child_process';

/** An object as `git cat-file --batch` prints it. */
export interface CatFileObject {
  readonly sha: string;
  readonly type: string;
  readonly content: Buffer;
}

/** Reads any number of objects by one process. */
export function startCatFile(folder: string, env: NodeJS.ProcessEnv) {
  const stdio = ['pipe', 'pipe', 'ignore'] as const;
  const child = spawn('git', ['cat-file', '--batch'], { cwd: folder, env, stdio: [...stdio] });
  // A write after the end shows as a failed read.
  child.stdin.on('error', () => {});
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
  const chunks: AsyncIterator<Buffer> = child.stdout[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  /** Waits for git's output, and takes as many bytes of it as `length` says for what has arrived. */
  async function take(length: (arrived: Buffer) => number): Promise<Buffer> {
    while (length(rest) <= 0 || rest.length < length(rest)) {
      const { value, done } = await chunks.next();
      if (done === true) {
        throw new Error(`git cat-file ended in ${folder}`);
      }
      rest = Buffer.concat([rest, value]);
    }
    const size = length(rest);
    // A copy, so that one small object does not keep a large buffer in memory.
    const taken = Buffer.from(rest.subarray(0, size));
    rest = rest.subarray(size);
    return taken;
  }

  async function readReply(): Promise<CatFileObject | undefined> {
    const line = await take((arrived) => arrived.indexOf(10) + 1);
    const [, sha, type, size] = /^([0-9a-f]{40}) (\w+) (\d+)$/m.exec(line.toString()) ?? [];
    if (sha === undefined || type === undefined) {
      return undefined;
    }
    const content = await take(() => Number(size) + 1);
    return { sha, type, content: content.subarray(0, -1) };
  }

  let last: Promise<unknown> = Promise.resolve();
  return {
    /** @returns `undefined` when there is no such object, or its content is missing */
    async read(name: string): Promise<CatFileObject | undefined> {
      // A line break would be a second request.
      if (/[\n\0]/.test(name)) {
        return undefined;
      }
      child.stdin.write(`${name}\n`);
      // The replies come in the order of the requests.
      const read = last.then(readReply);
      last = read.catch(() => {});
      return await read;
    },
    async close(): Promise<void> {
      child.stdin.end();
      await ended;
    },
  };
}
