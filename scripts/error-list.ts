import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryFolder } from './bundle.ts';
import { platformSentences } from './platform-sentences.ts';
import { constantsOf, gap, type ReadTexts, textReader } from './sentences.ts';
import { asNode, type Node, nameOf, nodesIn, parseModule } from './syntax.ts';
import { table } from './tables.ts';

/** A sentence that a step can end with; `…` stands for what differs from run to run. */
export interface Sentence {
  readonly group: keyof typeof groups;
  readonly text: string;
}

const groups = {
  'bad-input': 'An input, a variable of the environment or a file cannot be used (`bad-input`)',
  'permission-check-failed':
    'Whether the run may start a job could not be checked (`permission-check-failed`)',
  'key-refused': 'The API key is not accepted (`key-refused`)',
  forbidden:
    'The API key may not do this, or something in front of the API refuses it (`forbidden`)',
  'project-not-found': 'There is no such project (`project-not-found`)',
  'job-not-found': 'There is no such job (`job-not-found`)',
  'rate-limited': 'The hourly limit is used up (`rate-limited`)',
  'request-refused': 'The service refuses the request (`request-refused`)',
  unreachable: 'The service was not reached, or failed (`unreachable`)',
  'unreadable-answer': 'The answer makes no sense (`unreadable-answer`)',
  'job-may-exist': 'A job may have been started (`job-may-exist`)',
  skipped: 'The step was skipped: `actor-not-allowed`, `no-secret`, `own-comment`',
  ending: 'The job did not end as hoped, or the run was cancelled',
  'internal-error': 'The action itself made a mistake (`internal-error`)',
} as const;

/** How the classes of errors put their arguments together, and what they mean. */
const classes: Readonly<
  Record<string, readonly [Sentence['group'], (...parts: string[]) => string]>
> = {
  InputError: ['bad-input', (input, problem, advice) => `Input ${input} ${problem}: ${advice}.`],
  EnvironmentError: [
    'bad-input',
    (name, problem, advice) => `Environment variable ${name} ${problem}: ${advice}.`,
  ],
  PermissionCheckError: [
    'permission-check-failed',
    (problem, advice) =>
      `Whether this run may start a job could not be checked, because ${problem}: ${advice}.`,
  ],
  JobMayExistError: ['job-may-exist', (what, advice) => `${what}: ${advice}.`],
  RateLimitedError: ['rate-limited', (what, advice) => `${what}: ${advice}.`],
};

/** Modules whose errors are made for the list by their own functions. */
const madeElsewhere = /platform\/explain(?:-refusal)?\.ts$/;

/** Every sentence, in the order of the groups; read from the sources. */
export function readSentences(): Sentence[] {
  const files = globSync('src/**/*.ts', { cwd: repositoryFolder }).map((file) =>
    file.replaceAll('\\', '/'),
  );
  const found = files
    .filter((file) => !madeElsewhere.test(file))
    .sort()
    .flatMap((file) => sentencesOf(join(repositoryFolder, file)));
  const all = [
    ...found,
    ...platformSentences().map(({ reason, message }) => ({ group: reason, text: message })),
  ];
  const unique = new Map(all.map((sentence) => [sentence.text, sentence]));
  const order = Object.keys(groups);
  return [...unique.values()].sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
}

function sentencesOf(path: string): Sentence[] {
  const pieces = parseModule(path);
  const read = textReader(pieces, importedConstants(pieces, path));
  return pieces.flatMap((piece) => [...thrown(piece, read), ...told(piece, read)]);
}

function importedConstants(pieces: readonly Node[], path: string): Map<string, Node> {
  const constants = pieces
    .filter(({ type }) => type === 'ImportDeclaration')
    .map((piece) => String(asNode(piece.fields['source'])?.fields['value']))
    .filter((source) => source.startsWith('.'))
    .flatMap((source) => [...constantsOf(parseModule(join(dirname(path), source)))]);
  return new Map(constants);
}

/** `new InputError('prompt', 'is blank', 'write what the agent should do')` and the like. */
function thrown(piece: Node, read: ReadTexts): Sentence[] {
  const [group, build] = classes[nameOf(asNode(piece.fields['callee']))] ?? [];
  if (piece.type !== 'NewExpression' || group === undefined || build === undefined) {
    return [];
  }
  return choicesTogether(nodesIn(piece, 'arguments'))
    .flatMap((parts) => combine(parts.map(read)))
    .map((texts) => ({ group, text: build(...texts) }));
}

/** Arguments that are chosen by one and the same condition are chosen together. */
function choicesTogether(parts: readonly Node[]): Node[][] {
  const conditions = parts.map((part) => JSON.stringify(withoutPlaces(part.fields['test'])) ?? '');
  const shared = conditions.find((one, index) => one !== '' && conditions.indexOf(one) !== index);
  if (shared === undefined) {
    return [[...parts]];
  }
  return ['consequent', 'alternate'].map((branch) =>
    parts.flatMap((part, index) => (conditions[index] === shared ? nodesIn(part, branch) : part)),
  );
}

function withoutPlaces(value: unknown): unknown {
  const places = ['start', 'end', 'range', 'loc'];
  const text = JSON.stringify(value, (name, field) => (places.includes(name) ? undefined : field));
  return text === undefined ? undefined : JSON.parse(text);
}

/** How the sentences begin that no error class puts together. */
const beginning =
  /^(?:Nothing was (?:started|done), because|The run was cancelled|Job …(?!.* opened a pull request) |The file|The service ended|This action (?:made|runs))/;

/** Whole sentences: what a property `message` holds, a `super()` call, or a function returns. */
function told(piece: Node, read: ReadTexts): Sentence[] {
  return sentenceNodes(piece)
    .flatMap(read)
    .filter((text) => beginning.test(text))
    .map((text) => ({ group: groupOf(text), text }));
}

function sentenceNodes(piece: Node): Node[] {
  switch (piece.type) {
    case 'Property':
      return nameOf(asNode(piece.fields['key'])) === 'message' ? nodesIn(piece, 'value') : [];
    case 'CallExpression':
      return asNode(piece.fields['callee'])?.type === 'Super' ? nodesIn(piece, 'arguments') : [];
    case 'ReturnStatement':
      return nodesIn(piece, 'argument');
    default:
      return [];
  }
}

function groupOf(text: string): Sentence['group'] {
  if (/^The file |^This action runs /.test(text)) return 'bad-input';
  if (/prLink/.test(text)) return 'unreadable-answer';
  if (text.startsWith('This action made')) return 'internal-error';
  return /^Nothing was (?:started|done), because /.test(text) ? 'skipped' : 'ending';
}

/** One list of each choice of one text from every list. */
function combine(lists: readonly (readonly string[])[]): string[][] {
  return lists.reduce<string[][]>(
    (chosen, list) => chosen.flatMap((texts) => list.map((text) => [...texts, text])),
    [[]],
  );
}

/** The list as Markdown: one folded table for each group. */
export function errorList(): string {
  const sentences = readSentences();
  return Object.entries(groups)
    .map(([group, title]) => {
      const rows = sentences.filter((sentence) => sentence.group === group).map(rowOf);
      const summary = title.replace(/`([^`]+)`/g, '<code>$1</code>');
      return `<details>\n<summary>${summary}</summary>\n\n${table(['The step says', 'What to do'], rows)}\n\n</details>`;
    })
    .join('\n\n');
}

/**
 * A sentence says what happened, then, after a colon, what to do about it. Colons in quotes or in
 * brackets are another matter.
 */
const sentenceParts = /^((?:"[^"]*"|\([^)]*\)|(?!: ).)*)(?:: (.*))?$/;

function rowOf({ text }: Sentence): string[] {
  const [, what = text, advice = ''] = sentenceParts.exec(text) ?? [];
  return [what, advice.charAt(0).toUpperCase() + advice.slice(1)].map(escapeCell);
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll(`${gap}${gap}`, gap);
}
