import { getDomain } from 'tldts';

/** Hosts whose subdomains belong to different people, though the public suffix list lacks them. */
const sharedHosts = [
  'hashnode.dev',
  'mintlify.app',
  'mintlify.dev',
  'readme.io',
  'substack.com',
  'wordpress.com',
];

/** Hosts that guides write where readers put their own. */
const placeholder =
  /(?:^|\.)(?:example\.(?:com|net|org|edu|io|dev|co)|example|test|invalid|localhost|local|internal|lan|mydomain\.com|my-?site\.com|domain\.com|acme\.com|your[^.]*\.[a-z]{2,})$|^your[^/]*$|[<>{}$*\s]/iu;

/** The host of an address, in lower case; `undefined` for one without, or for a placeholder. */
export function hostOf(address: string): string | undefined {
  const written = address.trim();
  if (!/^(?:https?:)?\/\//iu.test(written)) {
    return undefined;
  }
  const host = URL.parse(written, 'https://docs.invalid/')?.hostname.replace(/\.$/u, '') ?? '';
  return isPlaceholderHost(host) ? undefined : host;
}

function isPlaceholderHost(host: string): boolean {
  return (
    !host.includes('.') ||
    placeholder.test(host) ||
    /^(?:127|10|0|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|192\.0\.2|198\.51\.100|203\.0\.113)\./u.test(
      host,
    )
  );
}

/**
 * What stands for a host when it is compared: the domain that somebody registered, such as `example.com`
 * for `docs.example.com`; of shared hosts such as `github.io`, and of IP addresses, the host itself.
 */
export function domainOf(host: string): string {
  return sharedHosts.some((shared) => host.endsWith(`.${shared}`))
    ? host
    : (getDomain(host, { allowPrivateDomains: true }) ?? host);
}
