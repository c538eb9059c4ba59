import { expect, test } from 'vitest';
import { respondWith } from '../../../../sandbox/github/stand-in/faults.ts';
import { httpsLink } from '../../../../src/check/reading/vendor-checks.ts';
import { type Proposal, readProposal, settingsFile } from '../../../helpers/read-change.ts';

const before = { 'docs.json': settingsFile, 'index.mdx': 'One.\n' };
const proposal = { before, after: { ...before, 'index.mdx': 'One. Two.\n' } };
const later = { ...before, 'b.mdx': 'Meanwhile.\n' };
const repository = 'acme/docs';

function read(arrange: Proposal['arrange'], rest: Partial<Proposal> = {}) {
  return readProposal({ ...proposal, ...(arrange && { arrange }), ...rest });
}

test("the vendor's checks are those of its app, and those with its name", async () => {
  const { change, gaps } = await read(({ checkRuns, statuses }, { head: sha }) => {
    const run = { repository, sha, conclusion: 'success' as const };
    checkRuns.push({ ...run, name: 'Build', app: 'mintlify' }, { ...run, name: 'Lint' });
    statuses.push({ repository, sha, context: 'Mintlify Deployment', state: 'error' });
  });
  expect(change.checks).toEqual({
    before: [],
    after: [
      { name: 'Build', isFailure: false, link: '' },
      { name: 'Mintlify Deployment', isFailure: true, link: '' },
    ],
  });
  expect(gaps).toEqual([]);
});

test('only a failure asks for the checks before, at the merge base or else at the base', async () => {
  const arrange: Proposal['arrange'] = ({ checkRuns }, { head, base }) => {
    const run = { repository, name: 'mintlify', conclusion: 'failure' as const };
    checkRuns.push({ ...run, sha: head }, { ...run, sha: base });
  };
  const { change } = await read(arrange, { later });
  expect(change.checks.before).toMatchObject([{ isFailure: true }]);
  const quiet = await read(undefined, { later });
  expect(quiet.requests.filter(({ path }) => path.includes('check-runs'))).toHaveLength(1);
});

test('a check that has not finished is no gap, but it is named', async () => {
  const { gaps, change, pendingChecks } = await read(({ checkRuns }, { head: sha }) => {
    checkRuns.push({ repository, sha, name: 'mintlify' });
  });
  expect(gaps).toEqual([]);
  expect(change.checks.after).toMatchObject([{ isFailure: false }]);
  expect(pendingChecks).toEqual(['mintlify']);
});

const refused = [{ on: /check-runs/, effect: respondWith(403, 'Not accessible') }];

test('checks that may not be read are a gap that names the permission', async () => {
  const { gaps } = await read(undefined, { faults: refused });
  expect(gaps).toEqual([
    {
      file: '',
      what: 'the check runs could not be read, because GitHub responded with 403 ("Not accessible"); the token needs the permission "checks: read"',
    },
  ]);
});

test('they are no gap if the rule is off', async () => {
  const settings = new Map([['failing-check', 'off'] as const]);
  const { gaps } = await read(undefined, { faults: refused, settings });
  expect(gaps).toEqual([]);
});

test("the preview is that of the vendor's deployment, or else of its check", async () => {
  const check: Proposal['arrange'] = ({ checkRuns }, { head: sha }) => {
    const detailsUrl = 'https://checks.example.com/1';
    checkRuns.push({ repository, sha, name: 'mintlify', conclusion: 'success', detailsUrl });
  };
  const { previewLink } = await read(check);
  expect(previewLink).toBe('https://checks.example.com/1');
  const deployed = await read((standIn, shas) => {
    check(standIn, shas);
    const deployment = { repository, sha: shas.head, environment: 'staging' };
    const ready = { ...deployment, state: 'success' as const };
    standIn.deployments.push(
      { ...ready, environmentUrl: 'https://preview.example.com/', creator: 'mintlify[bot]' },
      { ...ready, environmentUrl: 'https://other.example.com/' },
    );
  });
  expect(deployed.previewLink).toBe('https://preview.example.com/');
});

test.each([
  ['http://preview.example.com', ''],
  ['javascript:alert(1)', ''],
  ['https://user:secret@preview.example.com', ''],
  ['nothing', ''],
  ['https://preview.example.com/a b', 'https://preview.example.com/a%20b'],
])('%s is shown as "%s"', (link, shown) => {
  expect(httpsLink(link)).toBe(shown);
});
