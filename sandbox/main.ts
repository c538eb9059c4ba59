import { oneLine } from '../src/text/plain.ts';
import { parseCommandLine, sentenceOf } from './command-line.ts';
import { githubClient } from './github/client.ts';
import { DOCS_REPOSITORY, ISSUES, PEOPLE, PRODUCT_REPOSITORY, ROLES } from './github/seed.ts';
import {
  LONGER_THAN_POLLS,
  type MintlifyOptions,
  type Sandbox,
  startMintlify,
  startSandbox,
} from './sandbox.ts';
import { requestLine } from './service/request-line.ts';
import { MAX_PAGES } from './service/visitors.ts';
import { styled } from './terminal.ts';
import { waitForStop } from './wait-for-stop.ts';

const { values, positionals } = parse();

function parse() {
  try {
    return parseCommandLine(process.argv.slice(2), {
      port: { type: 'string', default: '4100' },
      'github-port': { type: 'string', default: '4101' },
      pages: { type: 'string', default: '3000' },
      'docs-repository': { type: 'string' },
    });
  } catch (error) {
    return fail(error);
  }
}

function fail(error: unknown): never {
  console.error(sentenceOf(error));
  process.exit(1);
}

function wholeNumber(name: 'port' | 'github-port' | 'pages', max: number): number {
  const value = values[name];
  if (!/^\d{1,6}$/.test(value) || Number(value) > max) {
    throw new Error(`--${name} is "${oneLine(value)}": give a whole number from 0 to ${max}`);
  }
  return Number(value);
}

/** The sandbox, whose agent works long enough for a follow-up to be seen. */
async function startLocal(options: MintlifyOptions): Promise<string> {
  return announcement(
    await startSandbox({
      ...options,
      workMs: LONGER_THAN_POLLS,
      githubPort: wholeNumber('github-port', 65_535),
    }),
  );
}

/** The text that the sandbox prints when it is ready: inputs, commands to paste, and the local GitHub. */
function announcement({ url, projectId, apiKey, readKey, github }: Sandbox): string {
  const jobs = `${url}/v2/agent/${projectId}/job`;
  const authorization = `-H 'Authorization: Bearer ${apiKey}'`;
  const people = PEOPLE.map((login) => `${login} (${ROLES[login]})`);
  const issues = ISSUES.map(({ title }, at) => `#${at + 1} ${title}`);
  return `${styled('bold', 'The sandbox is running.')} Ctrl-C ends it.

${styled('bold', 'Inputs of the action')}
  base-url: ${url}
  project-id: ${projectId}
  api-key: ${apiKey}
  read-only key: ${readKey}

${styled('bold', 'Create a job')}
  JOB=$(curl -s ${jobs} ${authorization} \\
    -H 'Content-Type: application/json' \\
    -d '{"prompt": "Mention --watch in quickstart.mdx"}' | grep -o 'job_[0-9a-f]*' | head -1)

${styled('bold', 'Get the job')}
  curl -s ${jobs}/$JOB ${authorization}

${styled('bold', 'Visitors')}
  curl -s '${url}/v1/analytics/${projectId}/visitors?limit=3' ${authorization}

${styled('bold', 'Local GitHub')}
  ${github.url} with ${DOCS_REPOSITORY} and ${PRODUCT_REPOSITORY}
  ${people.join(', ')}
  Each person's token is token-of-LOGIN; this one may merge: ${github.tokens.maintainer}
  Issues of ${PRODUCT_REPOSITORY}: ${issues.join(', ')}
`;
}

/** Mintlify's API, whose agent edits `sandbox/docs` of a repository on GitHub itself. */
async function startForGitHub(repository: string, options: MintlifyOptions): Promise<string> {
  const { env } = process;
  const client = githubClient(
    env['GITHUB_API_URL'] ?? 'https://api.github.com',
    env['GITHUB_TOKEN'] ?? '',
  );
  let jobs = 0;
  const { url } = await startMintlify(
    {
      client,
      repositoryOf: () => repository,
      base: env['GITHUB_REF_NAME'] ?? 'main',
      folder: 'sandbox/docs/',
    },
    {
      ...options,
      newJobId() {
        jobs += 1;
        // A workflow knows the branch in advance, so it can say where to open the pull request.
        return `try-${env['GITHUB_RUN_ID']}-${env['GITHUB_RUN_ATTEMPT']}-${jobs}`;
      },
    },
  );
  return `The stand-in for Mintlify's API listens on ${url}, and its agent works on ${repository}.`;
}

const stopped = waitForStop('sandbox');
try {
  if (positionals.length > 0) {
    throw new Error(`${positionals.join(' ')} is not expected: every option begins with --`);
  }
  const options: MintlifyOptions = {
    servicePort: wholeNumber('port', 65_535),
    pages: wholeNumber('pages', MAX_PAGES),
    onAgentError: (jobId, error) =>
      console.error(`The agent failed on ${jobId}: ${oneLine(String(error))}`),
    onRequest: (request, responseBody) => console.log(requestLine(request, responseBody)),
  };
  const repository = values['docs-repository'] ?? DOCS_REPOSITORY;
  console.log(
    await (repository === DOCS_REPOSITORY
      ? startLocal(options)
      : startForGitHub(repository, options)),
  );
} catch (error) {
  const inUse = String(error).includes('EADDRINUSE');
  fail(inUse ? `${sentenceOf(error)} Choose other ports with --port and --github-port.` : error);
}
// The reader of a pipe may close it, such as `head`. The sandbox keeps running.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', () => {});
}
await stopped;
process.exit();
