import type { TriedEvent } from './try-event.ts';
import type { TryOptions } from './try-options.ts';
import type { WorkflowFacts } from './workflow-text.ts';

/** What somebody has to know of a try before its log begins, as lines. */
export function notesOn(
  workflow: WorkflowFacts,
  options: Pick<TryOptions, 'secrets' | 'variables'>,
  { isFromFork = false }: Pick<TriedEvent, 'isFromFork'>,
  remarks: readonly string[],
): readonly string[] {
  const { ours, foreign, keySecrets, projectVariables } = workflow;
  const secrets = without(workflow.secrets, [
    ...['GITHUB_TOKEN', 'DOCS_API_KEY', ...keySecrets],
    ...Object.keys(options.secrets),
  ]);
  const variables = without(workflow.variables, [
    ...['DOCS_PROJECT_ID', ...projectVariables],
    ...Object.keys(options.variables),
  ]);
  return [
    `This checkout plays ${ours.join(' and ')}, whatever stands after the @.`,
    ...list('Left out, as actions of others are:', foreign.map(describe)),
    ...(isFromFork ? ['GitHub gives the run of a fork neither secrets nor variables.'] : []),
    ...list('Empty, since nothing gives it a value:', [
      ...secrets.map((name) => `secrets.${name} (--secret ${name}=… gives it one)`),
      ...variables.map((name) => `vars.${name} (--var ${name}=… gives it one)`),
    ]),
    ...list('It runs, and actionlint says:', remarks),
  ];
}

function describe({ uses, purpose, outputs }: WorkflowFacts['foreign'][number]): string {
  const does = purpose === undefined ? '' : ` (${purpose})`;
  const empty = outputs.map((name) => `its output ${name} is empty`);
  const reads = empty.length === 0 ? '' : `, so that ${empty.join(' and ')}`;
  return `${uses}${does}${reads}`;
}

/** GitHub does not tell upper case from lower case in the names of secrets and variables. */
function without(names: readonly string[], known: readonly string[]): readonly string[] {
  const lower = new Set(known.map((name) => name.toLowerCase()));
  return names.filter((name) => !lower.has(name.toLowerCase()));
}

function list(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}
