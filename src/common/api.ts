import { type Client, createClient } from '../platform/client.ts';
import { newKey } from '../platform/failure.ts';
import { isProjectId, projectIdRule } from '../platform/job.ts';
import { type Inputs, readToken } from '../runner/inputs.ts';
import type { Runner } from '../runner/runner.ts';
import { inputError } from '../text/error.ts';
import { quoted } from '../text/plain.ts';
import { isLoopback } from '../text/url.ts';

export interface ApiInputs {
  readonly apiKey: string;
  readonly projectId: string;
  readonly baseUrl: URL;
  /** Where people see the project's jobs; empty if `base-url` is not Mintlify's own. */
  readonly dashboardUrl: string;
}

/**
 * Reads an input that takes an id.
 * @throws ActionError if somebody wrote a key into it, which is masked
 */
export function readId(inputs: Inputs, name: 'project-id' | 'job-id'): string {
  const id = inputs.read(name);
  if (id.startsWith('mint_')) {
    inputs.readSecret(name);
    throw inputError(
      name,
      'has the form of an API key',
      `write the ${name.replace('-', ' ')} there, and the key into api-key, by a secret`,
    );
  }
  return id;
}

/**
 * Masks the key, then reads and validates the inputs that the actions share.
 * @param scope the scope that the key needs
 * @throws ActionError for the first invalid input
 */
export function readApiInputs(inputs: Inputs, scope: 'read' | 'write'): ApiInputs {
  const apiKey = readApiKey(inputs, scope);
  const projectId = readId(inputs, 'project-id');
  if (!isProjectId(projectId)) {
    const isEmpty = projectId === '';
    throw inputError(
      'project-id',
      isEmpty ? 'is empty' : `is ${quoted(projectId)}`,
      isEmpty
        ? 'copy it from the API keys page of the dashboard, and check the spelling of the variable or secret that you keep it in, because GitHub passes an empty string for one that does not exist'
        : `copy it from the API keys page of the dashboard (${projectIdRule})`,
    );
  }
  const baseUrl = readBaseUrl(inputs.read('base-url'));
  const isMintlify = baseUrl.origin === defaultBaseUrl;
  return {
    apiKey,
    projectId,
    baseUrl,
    dashboardUrl: isMintlify ? 'https://app.mintlify.com' : '',
  };
}

function readApiKey(inputs: Inputs, scope: 'read' | 'write'): string {
  const apiKey = readToken(inputs, 'api-key');
  if (apiKey === '') {
    const key = scope === 'read' ? 'an API key (the scope read is enough)' : 'an admin API key';
    throw inputError(
      'api-key',
      'is empty',
      `store ${key} as a secret, pass that secret to this input, and check the spelling of its name, because GitHub passes an empty string for a secret that does not exist`,
    );
  }
  if (/^mint_(?:dsc|us)_/.test(apiKey)) {
    throw inputError('api-key', 'has an assistant key or an index key', newKey);
  }
  return apiKey;
}

const defaultBaseUrl = 'https://api.mintlify.com';

function readBaseUrl(text: string): URL {
  const url = URL.parse(text || defaultBaseUrl);
  const isSecure =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  const hasMore = /[@?#]/.test(text);
  if (url === null || !isSecure || hasMore) {
    throw inputError(
      'base-url',
      // User info or a query can have a password, so the value is not shown.
      hasMore ? 'has user info, a query or a fragment' : `is ${quoted(text)}`,
      'it takes an https address with only a host and a path, such as https://api.mintlify.com (plain http for loopback addresses only)',
    );
  }
  return url;
}

/** @throws ActionError if a proxy variable is invalid */
export function connect(api: ApiInputs, runner: Runner): Client {
  return createClient({
    baseUrl: api.baseUrl,
    apiKey: api.apiKey,
    proxy: runner.readProxy(),
    cancelled: runner.signal,
  });
}
