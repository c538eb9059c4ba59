import type { Change } from '../change.ts';
import type { Finding } from '../old-finding.ts';
import { isPlaceholder } from './placeholder.ts';
import { isLastingToken } from './web-token.ts';

interface Provider {
  readonly name: string;
  /** Its group `secret` is the random part of the key. */
  readonly key: RegExp;
  /** Whether what looks like a key is one that matters; always, where this is left out. */
  readonly isLasting?: (whole: string) => boolean;
}

/** Bounded repetitions only, so that a hostile text cannot make them slow. */
const providers: readonly Provider[] = [
  { name: 'AWS', key: /(?<![A-Za-z0-9])(?:AKIA|ASIA)(?<secret>[A-Z0-9]{16})\b/gu },
  // It looks like any other text, so that only its name tells.
  {
    name: 'AWS',
    key: /aws_?secret_?(?:access_?)?key["']?\s{0,3}[:=]\s{0,3}["']?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/giu,
  },
  { name: 'GitHub', key: /(?<![A-Za-z0-9])gh[pousr]_(?<secret>[A-Za-z0-9]{36,255})\b/gu },
  {
    name: 'GitHub',
    key: /(?<![A-Za-z0-9])github_pat_(?<secret>[A-Za-z0-9]{22}_[A-Za-z0-9]{59})\b/gu,
  },
  { name: 'GitLab', key: /(?<![A-Za-z0-9])glpat-(?<secret>[\w-]{20,64})/gu },
  {
    name: 'Slack',
    key: /(?<![A-Za-z0-9])xox[abeoprs](?:-[A-Za-z0-9]{1,20}){0,4}-(?<secret>[A-Za-z0-9]{20,250})\b/gu,
  },
  {
    name: 'Slack',
    key: /hooks\.slack\.com\/services\/T\w{6,14}\/B\w{6,14}\/(?<secret>\w{24})\b/gu,
  },
  { name: 'Stripe', key: /(?<![A-Za-z0-9])[sr]k_live_(?<secret>[A-Za-z0-9]{20,250})\b/gu },
  {
    name: 'Stripe or Svix',
    key: /(?<![A-Za-z0-9])whsec_(?<secret>[A-Za-z0-9+/]{24,90})(?![A-Za-z0-9+/])/gu,
  },
  { name: 'Google', key: /(?<![A-Za-z0-9])AIza(?<secret>[\w-]{35})(?![\w-])/gu },
  { name: 'Anthropic', key: /(?<![A-Za-z0-9])sk-ant-[a-z]{1,9}\d{1,3}-(?<secret>[\w-]{60,250})/gu },
  { name: 'OpenAI', key: /(?<![A-Za-z0-9])sk-(?:proj|svcacct|admin)-(?<secret>[\w-]{40,250})/gu },
  { name: 'OpenAI', key: /(?<![A-Za-z0-9])sk-(?<secret>[A-Za-z0-9]{48})\b/gu },
  { name: 'Hugging Face', key: /(?<![A-Za-z0-9])hf_(?<secret>[A-Za-z0-9]{34})\b/gu },
  { name: 'npm', key: /(?<![A-Za-z0-9])npm_(?<secret>[A-Za-z0-9]{36})\b/gu },
  { name: 'PyPI', key: /(?<![A-Za-z0-9])pypi-AgEI(?<secret>[\w-]{50,250})/gu },
  { name: 'SendGrid', key: /(?<![A-Za-z0-9])SG\.(?<secret>[\w-]{22}\.[\w-]{43})/gu },
  { name: 'DigitalOcean', key: /(?<![A-Za-z0-9])do[opr]_v1_(?<secret>[0-9a-f]{64})\b/gu },
  { name: 'Shopify', key: /(?<![A-Za-z0-9])shp(?:at|ca|pa|ss)_(?<secret>[0-9a-fA-F]{32})\b/gu },
  { name: 'Twilio', key: /(?<![A-Za-z0-9])SK(?<secret>[0-9a-f]{32})\b/gu },
  // Its keys for the assistant, mint_dsc_, are made to stand in a public page.
  {
    name: 'Mintlify',
    key: /(?<![A-Za-z0-9])mint_(?!dsc_)(?:us_)?(?<secret>[A-Za-z0-9]{20,250})\b/gu,
  },
  {
    name: 'a JSON Web Token that stays valid for long',
    key: /(?<![\w-])eyJ[\w-]{10,400}\.eyJ[\w-]{10,2000}\.(?<secret>[\w-]{20,700})(?![\w-])/gu,
    isLasting: isLastingToken,
  },
  {
    name: 'a private key',
    key: /-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----(?<secret>(?:[A-Za-z0-9+/=\s]|\\n){120,9000})/gu,
  },
];

const lineEnd = /\r\n|\r|\n/u;

interface Key {
  /** As it stands in the text. */
  readonly whole: string;
  readonly provider: string;
  readonly secret: string;
  readonly beginning: string;
  readonly line: number;
}

/** Four characters tell the kind of a key and nothing of its secret. */
export const shownCharacters = 4;

/** Keys that no changed file had before, in its text or its name. The findings never hold a key. */
export function providerKey({ files }: Change): readonly Finding[] {
  const old = files.flatMap(({ path, previousPath, status, before }) => [
    ...keysIn(before),
    ...(status === 'added' ? [] : keysIn(previousPath ?? path)),
  ]);
  const known = new Set(old.map(({ secret }) => secret));
  const isNew = ({ secret }: Key) => !known.has(secret);
  return files.flatMap(({ path, after }) => [
    ...keysIn(path)
      .filter(isNew)
      .map((key) => ({ ...finding(path), what: `has a name with ${nounOf(key)}` })),
    ...keysIn(after)
      .filter(isNew)
      .map((key) => ({ ...finding(path), line: key.line, what: `has ${nounOf(key)}` })),
  ]);
}

function finding(file: string): Pick<Finding, 'rule' | 'file'> {
  return { rule: 'provider-key', file };
}

function nounOf({ provider, beginning }: Key): string {
  const kind = provider.startsWith('a ') ? provider : `a key of ${provider}`;
  return `what looks like ${kind} (${beginning}…)`;
}

export function keysIn(text: string | undefined): readonly Key[] {
  const plain = text === undefined ? '' : withoutDisguise(text);
  return providers.flatMap((provider) => keysOf(provider, plain));
}

/** Without invisible characters, and without the escapes of HTML and Markdown. The lines stay. */
function withoutDisguise(text: string): string {
  return text
    .replace(/\p{Cf}/gu, '')
    .replace(/&#(?:x([\da-f]{1,4})|(\d{1,4}));/giu, (_, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0x20 && code < 0x7f ? String.fromCharCode(code) : ' ';
    })
    .replace(/&lowbar;|\\_/gu, '_');
}

function keysOf({ name, key, isLasting = () => true }: Provider, text: string): readonly Key[] {
  const keys: Key[] = [];
  let line = 1;
  let end = 0;
  for (const match of text.matchAll(key)) {
    const secret = match.groups?.['secret'] ?? '';
    line += text.slice(end, match.index).split(lineEnd).length - 1;
    end = match.index;
    const [whole] = match;
    if (!isPlaceholder(secret) && isLasting(whole)) {
      keys.push({
        whole,
        provider: name,
        secret,
        line,
        beginning: whole.slice(0, shownCharacters),
      });
    }
  }
  return keys;
}
