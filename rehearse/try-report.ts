import { ISSUES, PRODUCT_REPOSITORY } from '../sandbox/github/seed.ts';
import { heading } from '../sandbox/terminal.ts';
import { counted } from '../src/text/plain.ts';
import { commentsOn, promptsOf, pullsOf } from './findings.ts';
import type { Stage } from './stage.ts';

const issues = ISSUES.map((_, index) => index + 1);

/** Lines of act's log that tell of act, and not of the workflow. */
const noise =
  /::set-output::|LocalRepositoryCache|⚙ {2}\*\*\*|valid docker connection|Cleaning up container/;

/** Prints a line of act's log, if it is about the workflow. */
export function showLine(line: string): void {
  if (!noise.test(line)) {
    console.log(line);
  }
}

/** Prints what is there to be seen afterwards, at the service and on GitHub. */
export async function tellWhatCame(stage: Stage, verdict: string): Promise<void> {
  // A step that does not wait leaves the agent at work.
  await stage.sandbox.settled();
  const requests = stage.sandbox.requests.map(
    ({ method, path, status }) => `${method} ${path} → ${status}`,
  );
  const pulls = await pullsOf(stage);
  const comments = await allComments(stage);
  show('Requests to the service', requests);
  show(
    'Pull requests of acme/docs',
    pulls.map(({ number, title, merged }) => `#${number} ${title}${merged ? ' (merged)' : ''}`),
  );
  show(`Comments in ${PRODUCT_REPOSITORY}`, comments);
  const counts = [
    counted(promptsOf(stage).length, 'job'),
    counted(pulls.length, 'pull request'),
    counted(comments.length, 'comment'),
  ];
  console.log(heading(`${verdict}: ${counts.join(', ')}`));
}

async function allComments(stage: Stage): Promise<readonly string[]> {
  const lists = await Promise.all(
    issues.map(async (issue) =>
      (await commentsOn(issue, stage)).map(
        ({ user, body }) =>
          `${user.login} on #${issue}:\n${body.trimEnd().replaceAll(/^/gm, '  | ')}`,
      ),
    ),
  );
  return lists.flat();
}

function show(title: string, lines: readonly string[]): void {
  console.log(heading(title));
  console.log(lines.length === 0 ? 'none' : lines.join('\n'));
}
