import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../../helpers/change.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Characters that look random; written here, a key would alarm every scanner that reads this file. */
function random(length: number, alphabet = base62, seed = 0): string {
  return Array.from({ length }, (_, index) => {
    const [byte = 0] = createHash('sha256').update(`${seed} ${length} ${index}`).digest();
    return alphabet[byte % alphabet.length];
  }).join('');
}

const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The provider, what its keys begin with, and the rest of one. */
const keys: readonly (readonly [string, string, string])[] = [
  ['AWS', 'AKIA', random(16, capitals)],
  ['AWS', 'AWS_SECRET_ACCESS_KEY = ', random(40)],
  ['Stripe or Svix', 'whsec_', random(32)],
  ['GitHub', 'ghp_', random(36)],
  ['GitHub', 'gho_', random(36)],
  ['GitHub', 'github_pat_', `${random(22)}_${random(59)}`],
  ['GitLab', 'glpat-', random(20)],
  ['Slack', 'xoxb-', `123456789012-123456789012-${random(24)}`],
  [
    'Slack',
    'hooks.slack.com/services/T',
    `${random(8, capitals)}/B${random(8, capitals)}/${random(24)}`,
  ],
  ['Stripe', 'sk_live_', random(24)],
  ['Stripe', 'rk_live_', random(99)],
  ['Google', 'AIza', random(35)],
  ['Anthropic', 'sk-ant-api03-', `${random(93)}AA`],
  ['OpenAI', 'sk-proj-', random(120)],
  ['OpenAI', 'sk-', random(48)],
  ['Hugging Face', 'hf_', random(34)],
  ['npm', 'npm_', random(36)],
  ['PyPI', 'pypi-AgEI', random(120)],
  ['SendGrid', 'SG.', `${random(22)}.${random(43)}`],
  ['Twilio', 'SK', random(32, '0123456789abcdef')],
  ['Mintlify', 'mint_', random(32)],
  ['Mintlify', 'mint_us_', random(32)],
];

const find = (before: string, after: string, path = 'a.mdx') =>
  findingsOf({ before: { [path]: before }, after: { [path]: after } }, 'provider-key');

describe('provider-key', () => {
  it.each(keys)('finds a key of %s that begins with %s', (provider, prefix, rest) => {
    const key = prefix + rest;
    const [finding, ...more] = find('x', `x\n\n\`\`\`bash\nexport KEY="${key}"\n\`\`\``);
    expect(more).toEqual([]);
    expect(finding).toEqual({
      rule: 'provider-key',
      severity: 'block',
      file: 'a.mdx',
      line: 4,
      what: `has what looks like a key of ${provider} (${key.slice(0, 4)}…)`,
    });
    expect(find(`Old: ${key}`, `New: ${key}`)).toEqual([]);
    expect(find('{}', `{"key":"${key}"}`, 'openapi.json')).toHaveLength(1);
  });

  it.each(keys)('lets placeholders for a key of %s pass that begin with %s', (_, prefix, rest) => {
    const letters = rest.length;
    for (const placeholder of [
      'x'.repeat(letters),
      '0'.repeat(letters),
      '1234567890abcdef'.repeat(20).slice(0, letters),
      'a1b2c3d4e5f6g7h8'.repeat(20).slice(0, letters),
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.repeat(20).slice(0, letters),
      `${rest.slice(0, letters - 8)}EXAMPLES`.slice(-letters),
      'your_key_goes_here_your_key'.repeat(20).slice(0, letters),
      'abcd1234wxyz'.repeat(20).slice(0, letters),
    ]) {
      expect(find('x', `Use ${prefix}${placeholder} here.`)).toEqual([]);
    }
  });

  it('lets the keys pass that providers write in their own docs', () => {
    expect(find('x', 'AKIAIOSFODNN7EXAMPLE and mint_dsc_ with more behind it')).toEqual([]);
    expect(find('x', `mint_dsc_${random(32)}`)).toEqual([]);
  });

  it.each(['\n', '\\n'])('finds a private key whose lines end in %j', (end) => {
    const frame = (body: string) =>
      ['-----BEGIN RSA PRIVATE KEY-----', body, '-----END RSA PRIVATE KEY-----'].join(end);
    const lines = [1, 2, 3, 4].map((seed) => random(64, base62, seed));
    const [finding] = find('x', frame(lines.join(end)));
    expect(finding?.what).toBe('has what looks like a private key (----…)');
    expect(find('x', frame('MIIEowIBAAKCAQEA...'))).toEqual([]);
    expect(find('x', frame('x'.repeat(400)))).toEqual([]);
  });

  it('never repeats a key', () => {
    fc.assert(
      fc.property(fc.constantFrom(...keys), fc.integer(), ([, prefix, rest], seed) => {
        const key = prefix + random(rest.length, base62, seed);
        const told = JSON.stringify(find('x', `a ${key} b`));
        expect(told).not.toContain(key.slice(-10));
        expect(told).not.toContain(key.slice(0, 5));
      }),
      { numRuns: 30 },
    );
  });
});
