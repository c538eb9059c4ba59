import { DOCS_REPOSITORY, ISSUES, PEOPLE, PRODUCT_REPOSITORY, ROLES } from './github/seed.ts';
import { DEFAULT_URL, type Sandbox } from './sandbox.ts';
import { styled } from './terminal.ts';

/** The text that the sandbox prints when it is ready: inputs, commands to paste, and the local GitHub. */
export function announcement({ url, projectId, apiKey, readKey, github }: Sandbox): string {
  const jobs = `${url}/v2/agent/${projectId}/job`;
  const authorization = `-H 'Authorization: Bearer ${apiKey}'`;
  const address = url === DEFAULT_URL ? '' : ` --base-url ${url}`;
  const people = PEOPLE.map((login) => `${login} (${ROLES[login]})`);
  const issues = ISSUES.map(({ title }, at) => `#${at + 1} ${title}`);
  return `${styled('bold', 'The sandbox is running.')} Ctrl-C ends it.

${styled('bold', 'Inputs of the action')}
  base-url: ${url}
  project-id: ${projectId}
  api-key: ${apiKey}
  read-only key: ${readKey}

${styled('bold', 'Run the agent action')}, in another terminal; every input is an option
  npm run agent --${address} --prompt "Mention --watch in quickstart.mdx"

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
