import { expect, it, vi } from 'vitest';
import { createGitHub } from '../../../src/github/client.ts';
import { noSignal } from '../../helpers/fake-github.ts';

// In a file of its own, because a module is only imported once.
it('has no response if @actions/github cannot be imported', async () => {
  // It reads the event's file when it is imported, and this is not JSON.
  vi.stubEnv('GITHUB_EVENT_PATH', import.meta.filename);
  const github = createGitHub({
    apiUrl: 'http://127.0.0.1:9',
    graphqlUrl: '',
    readProxy: () => ({ httpProxy: '', httpsProxy: '', noProxy: '' }),
    isEventReadable: async () => true,
  });
  const request = { route: 'GET /it', timeoutMs: 3000, signal: noSignal };
  const response = await github.as('token').send(request);
  expect(response).toEqual({ kind: 'no-response', code: 'not-loaded' });
  await github.close();
});
