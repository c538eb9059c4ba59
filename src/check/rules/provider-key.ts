import type { Change } from '../change.ts';
import type { Finding } from '../finding.ts';
import { isPlaceholder } from './placeholder.ts';

interface Provider {
  readonly name: string;
  /** Its group `secret` is the random part of the key. */
  readonly key: RegExp;
}

/** Bounded repetitions only, so that a hostile text cannot make them slow. */
const providers: readonly Provider[] = [
  { name: 'AWS', key: /\b(?:AKIA|ASIA)(?<secret>[A-Z0-9]{16})\b/gu },
  { name: 'GitHub', key: /\bgh[pousr]_(?<secret>[A-Za-z0-9]{36,255})\b/gu },
  { name: 'GitHub', key: /\bgithub_pat_(?<secret>[A-Za-z0-9]{22}_[A-Za-z0-9]{59})\b/gu },
  { name: 'GitLab', key: /\bglpat-(?<secret>[\w-]{20,64})/gu },
  {
    name: 'Slack',
    key: /\bxox[abeoprs](?:-[A-Za-z0-9]{1,20}){0,4}-(?<secret>[A-Za-z0-9]{20,250})\b/gu,
  },
  {
    name: 'Slack',
    key: /hooks\.slack\.com\/services\/T\w{6,14}\/B\w{6,14}\/(?<secret>\w{24})\b/gu,
  },
  { name: 'Stripe', key: /\b[sr]k_live_(?<secret>[A-Za-z0-9]{20,250})\b/gu },
  { name: 'Google', key: /\bAIza(?<secret>[\w-]{35})(?![\w-])/gu },
  { name: 'Anthropic', key: /\bsk-ant-[a-z]{1,9}\d{1,3}-(?<secret>[\w-]{60,250})/gu },
  { name: 'OpenAI', key: /\bsk-(?:proj|svcacct|admin)-(?<secret>[\w-]{40,250})/gu },
  { name: 'OpenAI', key: /\bsk-(?<secret>[A-Za-z0-9]{48})\b/gu },
  { name: 'Hugging Face', key: /\bhf_(?<secret>[A-Za-z0-9]{34})\b/gu },
  { name: 'npm', key: /\bnpm_(?<secret>[A-Za-z0-9]{36})\b/gu },
  { name: 'PyPI', key: /\bpypi-AgEI(?<secret>[\w-]{50,250})/gu },
  { name: 'SendGrid', key: /\bSG\.(?<secret>[\w-]{22}\.[\w-]{43})/gu },
  { name: 'Twilio', key: /\bSK(?<secret>[0-9a-f]{32})\b/gu },
  // Its keys for the assistant, mint_dsc_, are made to stand in a public page.
  { name: 'Mintlify', key: /\bmint_(?!dsc_)(?:us_)?(?<secret>[A-Za-z0-9]{20,250})\b/gu },
  {
    name: 'a private key',
    key: /-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----(?<secret>(?:[A-Za-z0-9+/=\s]|\\n){120,9000})/gu,
  },
];

const lineEnd = /\r\n|\r|\n/u;

interface Key {
  readonly provider: string;
  readonly secret: string;
  readonly beginning: string;
  readonly line: number;
}

/** Four characters tell the kind of a key and nothing of its secret. */
const shownCharacters = 4;

/** Keys that no changed file had before. The findings never hold a key. */
export function providerKey({ files }: Change): readonly Finding[] {
  const known = new Set(files.flatMap(({ before }) => keysIn(before)).map(({ secret }) => secret));
  return files.flatMap(({ path, after }) =>
    keysIn(after)
      .filter(({ secret }) => !known.has(secret))
      .map(({ provider, beginning, line }) => ({
        rule: 'provider-key' as const,
        file: path,
        line,
        what: `has what looks like ${provider === 'a private key' ? provider : `a key of ${provider}`} (${beginning}…)`,
      })),
  );
}

function keysIn(text: string | undefined): readonly Key[] {
  return text === undefined ? [] : providers.flatMap((provider) => keysOf(provider, text));
}

function keysOf({ name, key }: Provider, text: string): readonly Key[] {
  const keys: Key[] = [];
  let line = 1;
  let end = 0;
  for (const match of text.matchAll(key)) {
    const secret = match.groups?.['secret'] ?? '';
    line += text.slice(end, match.index).split(lineEnd).length - 1;
    end = match.index;
    if (!isPlaceholder(secret)) {
      keys.push({ provider: name, secret, line, beginning: match[0].slice(0, shownCharacters) });
    }
  }
  return keys;
}
