/**
 * Standards, and the documentation of open projects that most developers know. Only their editors write
 * there, so that a first link to one is no advertisement and no trap. Hosts on which anybody has pages,
 * such as forums and registries of packages, do not belong here.
 */
const hosts: ReadonlySet<string> = new Set([
  ...['asyncapi.com', 'commonmark.org', 'conventionalcommits.org', 'creativecommons.org'],
  ...['datatracker.ietf.org', 'ecma-international.org', 'graphql.org', 'html.spec.whatwg.org'],
  ...['iana.org', 'ietf.org', 'iso.org', 'json-schema.org', 'json.org', 'jsonrpc.org', 'jwt.io'],
  ...['keepachangelog.com', 'oauth.net', 'openapis.org', 'openid.net', 'opensource.org'],
  ...['owasp.org', 'rfc-editor.org', 'schema.org', 'semver.org', 'spdx.org', 'spec.openapis.org'],
  ...['tc39.es', 'toml.io', 'tools.ietf.org', 'unicode.org', 'url.spec.whatwg.org', 'w3.org'],
  ...['yaml.org', 'ajv.js.org', 'angular.dev', 'astro.build', 'curl.se', 'dart.dev'],
  ...['developer.mozilla.org', 'doc.rust-lang.org', 'docs.djangoproject.com', 'docs.python.org'],
  ...['eslint.org', 'fastapi.tiangolo.com', 'git-scm.com', 'gnu.org', 'helm.sh', 'jestjs.io'],
  ...[
    'kernel.org',
    'kotlinlang.org',
    'kubernetes.io',
    'letsencrypt.org',
    'nginx.org',
    'nodejs.org',
  ],
  ...['openjdk.org', 'openssl.org', 'opentelemetry.io', 'peps.python.org', 'php.net'],
  ...['postgresql.org', 'prettier.io', 'prometheus.io', 'python.org', 'react.dev', 'ruby-lang.org'],
  ...['rust-lang.org', 'sqlite.org', 'svelte.dev', 'swift.org', 'typescriptlang.org', 'vite.dev'],
  ...['vitest.dev', 'vuejs.org', 'zod.dev'],
]);

/** @param host in lower case; with `www.` in front it is the same */
export function isWellKnown(host: string): boolean {
  return hosts.has(host.replace(/^www\./u, ''));
}
