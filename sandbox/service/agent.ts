import { setTimeout } from 'node:timers/promises';
import { oneLine, shortened } from '../../src/text/plain.ts';
import { type GitHubClient, GitHubError, type Pull } from '../github/client.ts';
import type { Agent } from './jobs.ts';
import { withoutWords } from './words.ts';

const HEADING = '## Notes from the docs agent';
/** Keeps a page from rendering, because it is never closed. */
const BROKEN = '\n<Note>\n';
const MAX_NOTE_LENGTH = 300;
const MAX_TITLE_LENGTH = 60;

/** What a person would write for a prompt. */
interface Edit {
  /** What the prompt asks for. */
  readonly asked: RegExp;
  readonly title: string;
  /** The text of the page that the new text replaces. */
  readonly before: string;
  readonly after: string;
}

const BUILD = 'Run `acme build` in your project.\n';
const INSTALL = '\nnpm install --global acme\n```\n';
const DEPLOY = 'Run `acme deploy`.';

/** For the prompts of the demo and for the issues of the product. */
const EDITS: readonly Edit[] = [
  {
    asked: /--watch/,
    title: 'Document acme build --watch',
    before: BUILD,
    after: `${BUILD}
To build again after every change, add \`--watch\`:

\`\`\`sh
acme build --watch
\`\`\`

It runs until you press Ctrl-C.
`,
  },
  {
    asked: /\bcommands\b/,
    title: 'Install acme globally, so that the shell finds it',
    before: INSTALL.replace(' --global', ''),
    after: INSTALL,
  },
  {
    asked: /\bcommands\b/,
    title: 'Say which Node.js acme needs',
    before: INSTALL,
    after: `${INSTALL}\nacme needs Node.js 20 or newer.\n`,
  },
  {
    asked: /\b(?:retries|timeouts)\b/,
    title: 'Explain retries and timeouts of a deploy',
    before: DEPLOY,
    after: `${DEPLOY} When the network fails, it tries again up to 3 times, and it gives up after 60 seconds.`,
  },
];

/**
 * An agent without a language model. It writes one of its edits if one fits the prompt and the page that
 * the prompt names. If it broke the page before, it mends the page. Otherwise it adds the prompt as a note. It
 * commits the change to the job's own branch, and opens a pull request. A follow-up commits to the same branch,
 * and opens another pull request only if the first one is no longer open.
 *
 * @param github A client with the token of the agent, which opens the pull requests.
 * @param folder Where the pages are, with a slash at the end; empty for the whole repository.
 */
export function docsAgent(github: GitHubClient, folder = ''): Agent {
  return async ({ jobId, prompt, repository, base, branch, isBroken }) => {
    const head = await openBranch(github, repository, base, branch);

    const note = noteOf(prompt);
    const path = choosePage(await github.listFiles(repository, head), folder, prompt);
    const page = await github.readFile(repository, path, branch);
    const { title, text } = changed(page.text, prompt, note, isBroken);
    await github.writeFile(repository, path, {
      text,
      message: title,
      branch,
      sha: page.sha,
    });

    const pull =
      (await github.findOpenPull(repository, branch)) ??
      (await openPull(github, repository, {
        title,
        body: `Changes \`${path}\` as asked:\n\n> ${escapeMarkdown(note)}\n\nAgent job: ${jobId}`,
        head: branch,
        base,
      }));
    return pull.html_url;
  };
}

/** A page as the agent leaves it, and the title of that change. */
function changed(
  page: string,
  prompt: string,
  note: string,
  isBroken: boolean,
): { readonly title: string; readonly text: string } {
  const whole = page.replace(BROKEN, '');
  if (whole !== page && !isBroken) {
    return { title: 'Mend what does not render', text: whole };
  }
  const edit = EDITS.find(
    ({ asked, before, after }) =>
      asked.test(prompt) && whole.includes(before) && !whole.includes(after),
  );
  const text =
    edit === undefined ? withNote(whole, note) : whole.replace(edit.before, () => edit.after);
  const title = edit?.title ?? `Docs: ${shortened(note, MAX_TITLE_LENGTH)}`;
  return { title, text: isBroken ? text + BROKEN : text };
}

/** @returns The commit that the branch points at. */
async function openBranch(
  github: GitHubClient,
  repository: string,
  base: string,
  branch: string,
): Promise<string> {
  const existing = await github.branchHead(repository, branch);
  if (existing !== undefined) {
    return existing;
  }
  const head = await github.branchHead(repository, base);
  if (head === undefined) {
    throw new Error(`${repository} has no branch ${base}`);
  }
  await github.createBranch(repository, branch, head);
  return head;
}

const personMs = 5 * 60_000;
const lookMs = 3000;

/**
 * Opens a pull request. If a setting of the repository forbids that to workflows, this waits for a
 * person to open it.
 */
async function openPull(
  github: GitHubClient,
  repository: string,
  opening: Parameters<GitHubClient['openPull']>[1],
): Promise<Pull> {
  try {
    return await github.openPull(repository, opening);
  } catch (error) {
    const isForbidden = error instanceof GitHubError && error.status === 403;
    for (let waitedMs = 0; isForbidden && waitedMs < personMs; waitedMs += lookMs) {
      await setTimeout(lookMs);
      const opened = await github.findOpenPull(repository, opening.head);
      if (opened !== undefined) return opened;
    }
    throw error;
  }
}

/** The page whose path the prompt has, the longest if there are several, or else the first page. */
function choosePage(files: readonly string[], folder: string, prompt: string): string {
  const pages = files
    .filter((path) => path.startsWith(folder) && /\.mdx?$/.test(path))
    .sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
  const named = pages
    .filter((path) => prompt.includes(path.slice(folder.length)))
    .sort((a, b) => b.length - a.length)[0];
  const page = named ?? pages[0];
  if (page === undefined) {
    throw new Error('The documentation has no page');
  }
  return page;
}

function depth(path: string): number {
  return path.split('/').length;
}

/** Adds the note at the end of the page, in its own section. */
function withNote(text: string, note: string): string {
  const item = `- ${escapeMarkdown(note)}\n`;
  const page = text.endsWith('\n') ? text : `${text}\n`;
  return page.includes(`\n${HEADING}\n`) ? page + item : `${page}\n${HEADING}\n\n${item}`;
}

function noteOf(prompt: string): string {
  const note = oneLine(withoutWords(prompt), MAX_NOTE_LENGTH);
  return note === '' ? 'No instruction given' : note;
}

/** Escapes everything that Markdown or MDX could take as markup, a tag or an expression. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>|~&@#]/g, '\\$&');
}
