import { oncePer } from '../once-per.ts';

/** What the pages and settings of the docs said before a change. */
export interface Known {
  /** Whether an address leads to a host that they name, or to nobody's host. */
  hasAddress(address: string): boolean;
  /** Whether a word of a command occurs in them, and not only as a part of another one. */
  hasWord(word: string): boolean;
}

/** Whose an address of another host is. */
interface Publisher {
  /** In lower case. */
  readonly host: string;
  /** Where everybody can publish: the first part of the path if it names the publisher, otherwise all of the address. */
  readonly owner: string;
}

/** Hosts where the first part of a path names the publisher. */
const ownedHosts =
  /^(?:(?:gist\.)?github\.com|(?:raw|gist)\.githubusercontent\.com|gitlab\.com|bitbucket\.org|codeberg\.org|huggingface\.co|ghcr\.io|x\.com|twitter\.com|medium\.com|dev\.to|t\.me)$/u;

/** First parts of paths there below which everybody can publish. */
const unowned =
  /^(?:[a-z_-]|apps|blog|collections|datasets|groups|joinchat|marketplace|models|orgs|posts|search|share|spaces|sponsors|topics|user-attachments|users)?$/u;

/** Other hosts on which everybody can publish: there, only an address that stands in the docs is known. */
const sharedHosts =
  /^(?:(?:api|apps|cdn|esm|gist|join|m|marketplace|open|pkg|registry|s3(?:[.-][\w-]+)*|sites|store)\.)?(?:(?:airtable|amazonaws|apple|calendly|codesandbox|dropbox|facebook|figma|github|gitlab|instagram|linkedin|loom|medium|npmjs|pastebin|postman|reddit|replit|slack|stackblitz|substack|tinyurl|twitter|typeform|unpkg|vimeo|visualstudio|x|youtube)\.com|(?:codepen|codesandbox|crates|gitpod|gcr|jsr|quay|terraform)\.io|(?:docker|go|pub|deno)\.dev|(?:npmjs|nuget)\.org|bsky\.app|pypi\.org|rubygems\.org|packagist\.org|jsdelivr\.net|unpkg\.dev|deno\.land|esm\.sh|youtu\.be|discord\.com|notion\.(?:so|site)|forms\.gle|goo\.gl|bit\.ly|t\.co|wa\.me|tally\.so|mastodon\.social|hf\.co|open-vsx\.org|addons\.mozilla\.org|web\.archive\.org|discord\.gg|claude\.ai|chatgpt\.com)$|^(?:(?:chrome|chromewebstore|colab\.research|docs|drive|forms|groups|play|script|sites)\.google|forms\.office|hub\.docker|res\.cloudinary|(?:firebase)?storage\.googleapis)\.com$/u;

/** Names that nobody can register, by RFC 2606 and its like, and those that guides write for the reader's own. */
const reserved =
  /(?:^|\.)(?:example\.(?:com|net|org|edu)|example|test|invalid|localhost|local|internal|lan|home\.arpa|w3\.org|json-schema\.org|schema\.org|spec\.openapis\.org|(?:acme|company|domain|mycompany|mydomain|my-domain|myapp|mysite|new-?domain|website|your-?(?:app|company|domain|host|name|org|server|site|team|website))\.com)$|^(?:127|10|0|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|192\.0\.2|198\.51\.100|203\.0\.113)\.[\d.]+$|^\[(?:::1?|f[cd][\da-f]{2}:.*|fe80:.*|2001:db8:.*)\]$/u;

/** What readers put in themselves: `{name}`, `<name>`, `[name]`, `${name}`, `$NAME`, `*`. */
const template =
  /\$\{[^{}/:=]{0,200}\}|\{\{[^{}/]{0,200}\}\}|\{[^{}/.:=,]{0,200}\}|<[^<>/]{0,200}>|\[[^[\]/:]{0,200}\]|\$\w{1,100}|\*/gu;
const filled = 'filled-by-readers';
/** A port that readers put in: `$PORT` or `PORT`. */
const unknownPort = new RegExp(`:(?:${filled}|[A-Z_]{2,50})(?=[/?#]|$)`, 'u');

/** Whose an address is; `undefined` if it is nobody's: a reserved name, one of a network, or one that readers fill in. */
export function publisherOf(text: string): Publisher | undefined {
  const written = text.trim().replace(template, filled).replace(unknownPort, ':1');
  const url = URL.parse(written, 'https://docs.invalid/');
  if (url === null) {
    // What no parser reads is known if it is written in the same way.
    return { host: `${written}.`, owner: '' };
  }
  const host = url.hostname.replace(/^www\.|\.$/gu, '');
  const isLocal = !/[.[]/u.test(host);
  if (reserved.test(host) || isLocal) {
    return undefined;
  }
  const [, first = ''] = url.pathname.toLowerCase().split(/\/+/u);
  if (ownedHosts.test(host) && !unowned.test(first)) {
    return { host, owner: first };
  }
  const place = `${url.pathname}${url.search}`;
  return { host, owner: isShared(host) && place !== '/' ? place : '' };
}

const addressInText =
  /(?:https?:(?:\\?\/){1,3}|(?:\\?\/){2})(?:\$?\{[^{}\s]{1,50}\}|\[[^[\]\s]{1,50}\]|[^\s"'<>\\`|)\]}]){3,500}/giu;

/** The addresses of other hosts in a text, as they stand there. */
export function addressesIn(text: string): readonly string[] {
  return (text.match(addressInText) ?? [])
    .map((one) => one.replace(/\\\//gu, '/').replace(/^(https?:)\/+/iu, '$1//'))
    .map((one) => one.replace(/[.,;:!?*_]+$/u, ''))
    .filter((one) => /^(?:https?:\/\/.|\/\/[\w[$<{*-])/iu.test(one));
}

/** @param texts of the pages, before the change; @param written settings of the site, before the change */
export function createKnown(texts: readonly string[], written: string): Known {
  // The schema is Mintlify's, whose hosts have names of its customers.
  const settings = written.replace(/"\$schema"\s*:\s*"[^"]*"/gu, '');
  const found = [...texts, settings].flatMap(addressesIn).flatMap((one) => publisherOf(one) ?? []);
  // That a host is known says nothing of its owners, where everybody can publish.
  const places = new Set(found.flatMap((one) => [placeOf({ ...one, owner: '' }), placeOf(one)]));
  return {
    hasAddress(text) {
      const publisher = publisherOf(text);
      return publisher === undefined || places.has(placeOf(publisher));
    },
    hasWord: (word) =>
      runsIn(word).every((run) => runsOf(texts).has(run)) &&
      texts.some((text) => hasWhole(text, word)),
  };
}

function isShared(host: string): boolean {
  return ownedHosts.test(host) || sharedHosts.test(host);
}

/** Equal for what one publisher has. */
function placeOf({ host, owner }: Publisher): string {
  return owner === '' ? host : `${host}/${owner}`;
}

/** To look one up takes no time: pages are made that name thousands. */
const runsOf = oncePer(
  (texts: readonly string[]) => new Set(texts.flatMap((text) => [...new Set(runsIn(text))])),
);

function runsIn(text: string): readonly string[] {
  return text.match(/[\w-]+/gu) ?? [];
}

/**
 * Whether a word is in a text: `react` is in `react.js`, but in neither `reacts`, `react-x` nor `@x/react`, which
 * others may publish.
 */
function hasWhole(text: string, word: string): boolean {
  let at = text.indexOf(word);
  const isPart = () =>
    /(?:[\w-]|@[\w.-]+\/)\w$/u.test(text.slice(Math.max(at - 50, 0), at + 1)) ||
    /^\w[\w-]$/u.test(text.slice(at + word.length - 1, at + word.length + 1));
  while (at !== -1 && isPart()) {
    at = text.indexOf(word, at + 1);
  }
  return at !== -1;
}
