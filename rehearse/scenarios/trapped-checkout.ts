import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A checkout whose settings and hooks make git run programs, unless git is called with care. */
export interface TrappedCheckout {
  readonly folder: string;
  /** Environment variables with which git finds more such programs, in a home folder and in settings. */
  readonly env: Readonly<Record<string, string>>;
  /** Creates a program that records its name when it runs. @returns Its path. */
  trap(path: string, name: string): string;
  /** The names of the programs that have run. */
  triggered(): readonly string[];
}

/**
 * @param base an empty folder, for the checkout and everything around it
 * @param files the files to commit, by path
 */
export function createTrappedCheckout(
  base: string,
  files: Readonly<Record<string, string>>,
): TrappedCheckout {
  const folder = join(base, 'checkout');
  const triggered = join(base, 'triggered');
  const home = join(base, 'home');
  mkdirSync(folder, { recursive: true });
  mkdirSync(home);
  writeFileSync(triggered, '');
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  const git = (...args: string[]) =>
    execFileSync('git', [...author, ...args], { cwd: folder, stdio: 'pipe' });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const trap = (path: string, name: string) => {
    write(path, `#!/bin/sh\necho '${name}' >> '${triggered}'\ncat\n`);
    chmodSync(path, 0o755);
    return path;
  };

  git('init', '--quiet', '--initial-branch', 'main');
  for (const [path, text] of Object.entries({ ...files, '.gitattributes': '* filter=trap\n' })) {
    write(join(folder, path), text);
  }
  write(join(base, 'outside'), 'private\n');
  symlinkSync(join(base, 'outside'), join(folder, 'absolute-link'));
  symlinkSync('../outside', join(folder, 'link-out'));
  symlinkSync('.gitattributes', join(folder, 'link-inside'));
  git('add', '.');
  git('commit', '--quiet', '--message', 'Begin');
  nameInIndex(folder, '.git/hooks/pre-commit');
  nameInIndex(folder, '../outside');

  // Settings of the checkout that name programs.
  const program = trap(join(base, 'settings.sh'), 'a setting of the checkout');
  for (const name of ['core.fsmonitor', 'core.pager', 'core.editor', 'core.sshCommand']) {
    git('config', name, program);
  }
  for (const name of ['clean', 'smudge', 'process']) {
    git('config', `filter.trap.${name}`, program);
  }
  for (const hook of ['post-index-change', 'pre-commit', 'post-commit', 'prepare-commit-msg']) {
    trap(join(folder, '.git/hooks', hook), `the hook ${hook} of the checkout`);
  }
  // A bare repository in the workflow's folder, where git might be asked for the checkout's root.
  const bare = join(folder, '.github/workflows');
  mkdirSync(join(bare, 'objects'), { recursive: true });
  mkdirSync(join(bare, 'refs'));
  write(join(bare, 'HEAD'), 'ref: refs/heads/main\n');
  write(
    join(bare, 'config'),
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ${folder}\n\tfsmonitor = ${program}\n`,
  );

  // Hooks that the user has for every repository.
  const hook = trap(join(home, 'template/hooks/pre-commit'), "a hook of the user's");
  trap(join(home, 'hooks/post-commit'), "a hook of the user's");
  write(
    join(home, '.gitconfig'),
    `[init]\n\ttemplateDir = ${dirname(dirname(hook))}\n[filter "trap"]\n\tclean = ${program}\n`,
  );
  return {
    folder,
    env: {
      HOME: home,
      // The form in which git passes settings to the programs that it runs.
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.hooksPath',
      GIT_CONFIG_VALUE_0: join(home, 'hooks'),
    },
    trap,
    triggered: () => readFileSync(triggered, 'utf8').split('\n').filter(Boolean),
  };
}

/** Adds a name to the checkout's index that git itself would refuse. */
function nameInIndex(folder: string, name: string): void {
  const placeholder = `x${name.slice(1)}`.replace('/.', '/x');
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, input: '', encoding: 'utf8' });
  const blob = git('hash-object', '-w', '--stdin').trim();
  git('update-index', '--add', '--cacheinfo', `100755,${blob},${placeholder}`);
  const path = join(folder, '.git/index');
  const content = readFileSync(path).subarray(0, -20);
  content.write(name, content.indexOf(placeholder));
  rmSync(path);
  writeFileSync(path, Buffer.concat([content, createHash('sha1').update(content).digest()]));
}
