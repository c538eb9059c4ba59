import { DOCS_REPOSITORY } from '../../sandbox/github/seed.ts';
import { repositoryFolder, repositoryName } from '../../scripts/actions.ts';
import type { TriedEvent } from './event.ts';
import type { TryOptions } from './options.ts';
import type { Workflow } from './workflow.ts';

/** The notes that are printed before the log, as lines. */
export function notesOn(
  workflow: Workflow,
  options: Pick<TryOptions, 'path' | 'secrets' | 'variables' | 'repository'>,
  { isFromFork = false }: Pick<TriedEvent, 'isFromFork'>,
  warnings: readonly string[],
): readonly string[] {
  const { ownReferences, thirdParty, keySecrets, docsTokens } = workflow;
  const { projectVariables, projectSecrets, agentVariables, docsVariables } = workflow;
  const secrets = without(workflow.secrets, [
    ...['GITHUB_TOKEN', 'DOCS_API_KEY', ...keySecrets, ...projectSecrets],
    ...Object.keys(options.secrets),
  ]);
  const variables = without(workflow.variables, [
    ...['DOCS_PROJECT_ID', ...projectVariables, ...agentVariables, ...docsVariables],
    ...Object.keys(options.variables),
  ]);
  const isOurs = options.path.startsWith(repositoryFolder);
  const placeholders = isOurs ? [] : ownReferences.filter((each) => each.startsWith('OWNER/'));
  return [
    ownReferences.length === 0
      ? `No step uses ${repositoryName()}, under any owner. To try a fork with another name, or a local path such as ./, write uses: ${repositoryName()}@v1. All other steps run.`
      : `This checkout is used instead of ${ownReferences.join(' and ')}.`,
    ...(options.repository === undefined && workflow.repository === DOCS_REPOSITORY
      ? [
          `It is tried in ${DOCS_REPOSITORY}, because it needs the pull requests of the docs, and neither docs-repository nor docs-token says that they are elsewhere.`,
        ]
      : []),
    ...list(
      'Third-party actions are skipped, so their outputs are empty:',
      thirdParty.map(describe),
    ),
    ...(isFromFork ? ['GitHub gives a run from a fork neither secrets nor variables.'] : []),
    ...list(
      'The sandbox stands in for these, so check that your repository has them by these names:',
      [
        ...without([...keySecrets, ...projectSecrets], ['DOCS_API_KEY']).map(
          (name) => `secrets.${name}`,
        ),
        ...without(projectVariables, ['DOCS_PROJECT_ID']).map((name) => `vars.${name}`),
      ],
    ),
    ...list('These secrets and variables are empty:', [
      ...secrets.map((name) => {
        const value = docsTokens.includes(name) ? 'token-of-writer' : '…';
        return `secrets.${name} (set it with --secret ${name}=${value})`;
      }),
      ...variables.map((name) => `vars.${name} (set it with --var ${name}=…)`),
    ]),
    ...list('GitHub would not run this as it stands:', [
      ...placeholders.map(
        (reference) =>
          `${reference}: write your fork and one of its commits, as npm run --silent workflow prints the examples`,
      ),
    ]),
    ...list('Warnings:', warnings),
  ];
}

function describe({ uses, purpose }: Workflow['thirdParty'][number]): string {
  return purpose === undefined ? uses : `${uses} (${purpose})`;
}

/** The names of secrets and variables are not case-sensitive on GitHub. */
function without(names: readonly string[], excluded: readonly string[]): readonly string[] {
  const lower = new Set(excluded.map((name) => name.toLowerCase()));
  return names.filter((name) => !lower.has(name.toLowerCase()));
}

function list(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}
