import { expect, it } from 'vitest';
import { docsTokenInput } from '../../../../src/agent/access/inputs.ts';

const own = { githubToken: 'workflow', docsToken: 'workflow' };
const other = { githubToken: 'workflow', docsToken: 'docs' };

it.each([
  ['the docs are here, and no docs-token is given', 'Acme/Docs', own, 'github-token'],
  ['the docs are here, and docs-token is given', 'acme/docs', other, 'docs-token'],
  ['the docs are elsewhere, and no docs-token is given', 'acme/handbook', own, 'docs-token'],
])('advice names the token to mend: %s', (_name, docsRepository, tokens, input) => {
  expect(docsTokenInput(docsRepository, tokens, { repository: 'acme/docs' })).toBe(input);
});
