import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  carriesMarker,
  commentKey,
  createMarkerSigner,
  type Marker,
} from '../../../src/github/marker.ts';
import { isIdentifier } from '../../../src/platform/identifier.ts';
import { readPullRequestLink } from '../../../src/platform/pull-request-link.ts';

const apiKey = 'mint_k3y';
const place = { repository: 'acme/product', threadNumber: 7 };
const signer = createMarkerSigner(apiKey);

/** The links that are accepted as pull requests. */
const links: fc.Arbitrary<string> = fc
  .oneof(
    fc.webUrl({ withQueryParameters: true }),
    fc.string({ unit: 'grapheme-ascii' }).map((text) => `https://[2001:db8::1]/${text}`),
    fc.nat({ max: 99 }).map((number) => `https://github.com/acme/docs/pull/${number}`),
  )
  .map(readPullRequestLink)
  .filter((link) => link.kind === 'link')
  .map(({ url }) => url);

const markers: fc.Arbitrary<Marker> = fc.record({
  key: fc.stringMatching(/^[\da-f]{32}$/),
  jobId: fc.oneof(fc.constant(''), fc.stringMatching(/^[\w.:-]{1,40}$/).filter(isIdentifier)),
  run: fc.stringMatching(/^[1-9]\d{0,9}\.[1-9]$/),
  link: fc.oneof(fc.constant(''), links),
  earlier: fc.array(links, { maxLength: 5 }),
  records: fc.array(fc.stringMatching(/^[\w.:~-]{1,60}$/), { maxLength: 5 }),
});

const noLinks = { link: '', earlier: [], records: [] };

const prose = fc.string({ maxLength: 60 }).filter((text) => !text.includes('<!--'));

describe('a marker', () => {
  it('is read unchanged, anywhere in a comment', () => {
    fc.assert(
      fc.property(markers, prose, prose, (marker, before, after) => {
        const text = `${before}\n${signer.write(marker, place)}\n${after}`;
        expect(signer.read(text, place)).toEqual(marker);
        expect(carriesMarker(text)).toBe(true);
      }),
    );
  });

  it('is invisible, and ends no HTML comment early, for any job id', () => {
    fc.assert(
      fc.property(markers, (marker) => {
        expect(signer.write(marker, place)).toMatch(/^<!-- [^<>\n]* -->$/);
      }),
    );
  });

  it('does not verify with one character changed', () => {
    fc.assert(
      fc.property(markers, fc.nat(), fc.constantFrom(...'0a9_.f,/'), (marker, at, character) => {
        const text = signer.write(marker, place);
        const position = at % text.length;
        const changed = text.slice(0, position) + character + text.slice(position + 1);
        expect(signer.read(changed, place)).toEqual(changed === text ? marker : undefined);
      }),
    );
  });

  it.each([
    ['another key', createMarkerSigner('mint_k3z'), place],
    ['another repository', signer, { ...place, repository: 'acme/docs' }],
    ['another issue', signer, { ...place, threadNumber: 8 }],
  ])('does not verify with %s', (_name, reader, elsewhere) => {
    fc.assert(
      fc.property(markers, (marker) => {
        expect(reader.read(signer.write(marker, place), elsewhere)).toBeUndefined();
      }),
    );
  });

  it('verifies with the repository in any case', () => {
    const marker = { key: '0'.repeat(32), jobId: 'job_1', run: '1.1', ...noLinks };
    const text = signer.write(marker, { ...place, repository: 'Acme/Product' });
    expect(signer.read(text, place)).toEqual(marker);
  });

  it('has a form that later versions can still read', () => {
    const key = '0123456789abcdef'.repeat(2);
    const marker = { key, jobId: 'job_8f2', run: '1001.2', ...noLinks };
    expect(signer.write(marker, place)).toMatchInlineSnapshot(
      `"<!-- docs-agent-action v1 key=0123456789abcdef0123456789abcdef job=job_8f2 run=1001.2 mac=2c1003566bbfb36b318a6b4bb2aefefced69fcea14b5658628d1ba9255425cda -->"`,
    );
    expect(signer.write(marker, place)).not.toContain(apiKey);
    const link = 'https://github.com/acme/docs/pull/12';
    const earlier = [link.replace('12', '9'), 'https://gitlab.example/acme/-/merge_requests/3'];
    expect(signer.write({ ...marker, link, earlier }, place)).toMatchInlineSnapshot(
      `"<!-- docs-agent-action v1 key=0123456789abcdef0123456789abcdef job=job_8f2 run=1001.2 pr=https://github.com/acme/docs/pull/12 earlier=https://github.com/acme/docs/pull/9,https://gitlab.example/acme/-/merge_requests/3 mac=7aa5c25c0056cac6a73ab8db134130b440edaf40d76bc135069bf19e7a54c828 -->"`,
    );
  });

  it('does not verify with a link moved from one field to the other', () => {
    const link = 'https://github.com/acme/docs/pull/12';
    const marker = {
      key: '0'.repeat(32),
      jobId: 'job_1',
      run: '1.1',
      link,
      earlier: [],
      records: [],
    };
    const moved = signer.write(marker, place).replace(' pr=', ' earlier=');
    expect(signer.read(moved, place)).toBeUndefined();
    expect(signer.read(moved.replace(/ earlier=\S+/, ''), place)).toBeUndefined();
  });

  it('is not found in other text', () => {
    expect(carriesMarker('docs-agent-action: docs <!-- docs-agent -->')).toBe(false);
  });
});

describe("a comment's key", () => {
  const parts = {
    workflow: 'w',
    job: 'j',
    step: 's',
    projectId: 'p',
    matrix: '',
    subject: 'job',
  } as const;

  it('differs with each of its parts, and with the boundary between two of them', () => {
    const keys = [
      parts,
      { ...parts, workflow: 'w2' },
      { ...parts, job: 'j2' },
      { ...parts, step: 's2' },
      { ...parts, projectId: 'p2' },
      { ...parts, matrix: '{"os":"linux"}' },
      { ...parts, subject: 'refusal' as const },
      { ...parts, workflow: 'wj', job: '' },
    ].map(commentKey);
    expect(new Set(keys).size).toBe(keys.length);
    expect(commentKey({ ...parts })).toBe(keys[0]);
  });
});
