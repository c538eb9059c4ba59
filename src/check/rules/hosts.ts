/**
 * Hosts whose subdomains belong to different people, so that each subdomain counts by itself. The whole
 * list of such hosts has 10,000 entries; these are the ones that docs link to.
 */
const sharedHosts = new Set([
  'amplifyapp.com',
  'amazonaws.com',
  'azurewebsites.net',
  'azurestaticapps.net',
  'blob.core.windows.net',
  'bitbucket.io',
  'blogspot.com',
  'cloudfront.net',
  'deno.dev',
  'fly.dev',
  'framer.app',
  'framer.website',
  'github.io',
  'gitbook.io',
  'gitlab.io',
  'hashnode.dev',
  'herokuapp.com',
  'hf.space',
  'lovable.app',
  'mintlify.app',
  'mintlify.dev',
  'netlify.app',
  'ngrok.app',
  'ngrok.io',
  'ngrok-free.app',
  'notion.site',
  'now.sh',
  'onrender.com',
  'pages.dev',
  'r2.dev',
  'railway.app',
  'readme.io',
  'readthedocs.io',
  'repl.co',
  'replit.app',
  'run.app',
  'stackblitz.io',
  'streamlit.app',
  'substack.com',
  'supabase.co',
  'surge.sh',
  'trycloudflare.com',
  'vercel.app',
  'web.app',
  'firebaseapp.com',
  'webflow.io',
  'windows.net',
  'wordpress.com',
  'workers.dev',
]);

/** Second-level labels under which countries register domains, as in `co.uk` and `com.br`. */
const registries = new Set([
  'ac',
  'co',
  'com',
  'edu',
  'gob',
  'gov',
  'gv',
  'ne',
  'net',
  'or',
  'org',
]);

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
 * for `docs.example.com`; of shared hosts, and of IP addresses, the host itself.
 */
export function domainOf(host: string): string {
  if (/^[\d.]+$|:/u.test(host)) {
    return host;
  }
  const labels = host.split('.');
  if (labels.some((_, index) => index > 0 && sharedHosts.has(labels.slice(index).join('.')))) {
    return host;
  }
  const isCountry = (labels.at(-1) ?? '').length === 2 && registries.has(labels.at(-2) ?? '');
  return labels.slice(isCountry ? -3 : -2).join('.');
}
