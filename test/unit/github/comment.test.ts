import { expect, it } from 'vitest';
import { createCommentKeeper } from '../../../src/github/comment.ts';
import { createMarkerSigner } from '../../../src/github/marker.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import { fakeSession, githubResponse, noSignal } from '../../helpers/fake-github.ts';

it('is created even if GitHub does not say in time whose token this is', async () => {
  const session = fakeSession(({ request }) => {
    switch (request.split(' ')[0]) {
      case 'GET':
        return githubResponse(200, []);
      default:
        return request.includes('graphql') ? githubResponse(503) : githubResponse(201, { id: 1 });
    }
  });
  const keeper = createCommentKeeper({
    session,
    graphqlUrl: 'https://api.github.example/graphql',
    signer: createMarkerSigner('mint_k3y-0f-th3-tests'),
    place: { repository: 'acme/product', threadNumber: 7 },
    key: 'f'.repeat(32),
    run: '1001.1',
    earlier: { review: async () => [], describe: () => '' },
    // An aborted delay throws.
    clock: { ...fakeClock(), sleep: () => Promise.reject(new Error('aborted')) },
    signal: noSignal,
  });
  expect(
    await keeper.write({ text: 'The agent is working', jobId: 'job_1', link: '', record: '' }),
  ).toEqual({ kind: 'written' });
});
