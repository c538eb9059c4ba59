import { getDomain } from 'tldts';

/** Hosts whose subdomains belong to different people, though the public suffix list lacks them. */
const sharedHosts = [
  'appspot.com',
  'atlassian.net',
  'bolt.host',
  'cloudapp.azure.com',
  'edgeone.app',
  'hashnode.dev',
  'mintlify.app',
  'mintlify.dev',
  'myshopify.com',
  'readme.io',
  'substack.com',
  'translate.goog',
  'v0.app',
  'weebly.com',
  'wixsite.com',
  'wordpress.com',
  'zendesk.com',
];

/** Names that nobody can register, by RFC 2606 and its like, and the names of machines in one's own network. */
const reserved =
  /(?:^|\.)(?:example\.(?:com|net|org|edu)|example|test|invalid|localhost|local|internal|lan|home\.arpa)$/u;

/** Domains that are taken, and that guides write where readers put their own. */
const customary = new Set([
  ...['acme.com', 'company.com', 'domain.com', 'mycompany.com', 'mydomain.com', 'my-domain.com'],
  ...['myapp.com', 'mysite.com', 'my-site.com', 'mywebsite.com', 'website.com'],
  ...['example.ai', 'example.app', 'example.co', 'example.dev', 'example.io'],
]);

const yours =
  /^your-?(?:api|app|brand|business|company|domain|host|name|org|server|service|shop|site|store|team|website)\.com$/u;

const privateAddress =
  /^(?:127|10|0|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|192\.0\.2|198\.51\.100|203\.0\.113)\.[\d.]+$|^\[(?:::1?|f[cd][\da-f]{2}:.*|fe80:.*|2001:db8:.*)\]$/u;

/** What readers or the site put in: `{name}`, `<name>`, `${name}`, `$NAME`, `*`. */
const template = /\$?\{[^{}]{0,200}\}{1,2}|<[^<>]{0,200}>|\$\w{1,100}|\*/gu;

/** Stands for a template in a host. Nobody can register a name with an underscore. */
const filling = '_any_';

const base = 'https://docs.invalid/';
const protocols = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:']);

/** An address as browsers read it: they skip some control characters, and spaces before it. */
export function asBrowsersRead(address: string): string {
  return address.replace(/[\t\r\n]/gu, '').replace(/^[\0- ]+/u, '');
}

/**
 * The host of an address, in lower case; `undefined` for one without, or for a placeholder. A template in
 * a host is written as `*`.
 */
export function hostOf(address: string): string | undefined {
  const url = URL.parse(asBrowsersRead(address).replace(template, filling), base);
  if (url === null || !protocols.has(url.protocol)) {
    return undefined;
  }
  const host = url.hostname.replace(/\.$/u, '');
  // Of an address such as `{address}/path`, nothing is known.
  return host === 'docs.invalid' || isPlaceholderHost(host)
    ? undefined
    : host.replaceAll(filling, '*');
}

function isPlaceholderHost(host: string): boolean {
  const domain = domainOf(host);
  return (
    (!host.includes('.') && !host.startsWith('[')) ||
    reserved.test(host) ||
    privateAddress.test(host) ||
    customary.has(domain) ||
    yours.test(domain) ||
    domain.includes(filling)
  );
}

/** The host of a web address, or the hosts of a mail's receivers. */
export function hostsOf(address: string): readonly string[] {
  const written = asBrowsersRead(address);
  if (!/^mailto:/iu.test(written)) {
    return [hostOf(written)].filter((host) => host !== undefined);
  }
  const names = written.replaceAll(/%40/gu, '@').matchAll(/@(?<host>[^\s@,;?&>"]{1,300})/gu);
  return [...names]
    .map(({ groups }) => hostOf(`https://${groups?.['host'] ?? ''}`))
    .filter((host) => host !== undefined);
}

/** Such as `vscode:`, of an address that opens a program; `undefined` for the usual ones, and for code. */
export function schemeOf(address: string): string | undefined {
  const scheme = /^[a-z][a-z\d+.-]*:/iu.exec(asBrowsersRead(address))?.[0].toLowerCase();
  return scheme === undefined || protocols.has(scheme) || harmless.has(scheme) ? undefined : scheme;
}

/** What runs code has a rule of its own. */
const harmless = new Set(['mailto:', 'tel:', 'sms:', 'data:', 'blob:', 'about:', 'javascript:']);

/**
 * What stands for a host when it is compared: the registered domain, such as `example.com`
 * for `docs.example.com`; of shared hosts such as `github.io`, and of IP addresses, the host itself.
 */
export function domainOf(host: string): string {
  return sharedHosts.some((shared) => host.endsWith(`.${shared}`))
    ? host
    : (getDomain(host.replaceAll('*', filling), { allowPrivateDomains: true }) ?? host);
}
