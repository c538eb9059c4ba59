import { expect, it } from 'vitest';
import { createCommentKeeper } from '../../../src/github/comment.ts';
import { createMarkerSigner } from '../../../src/github/marker.ts';
import { answered, fakeSession, noSignal } from '../../helpers/fake-github.ts';

it('is written where nobody can be asked whose token this is, since the time for that is over', async () => {
  const session = fakeSession(({ request }) => {
    switch (request.split(' ')[0]) {
      case 'GET':
        return answered(200, []);
      default:
        return request.includes('graphql') ? answered(503) : answered(201, { id: 1 });
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
    // A pause that is broken off throws.
    pause: () => Promise.reject(new Error('broken off')),
    signal: noSignal,
  });
  expect(await keeper.write('The agent is working', 'job_1', '')).toEqual({ kind: 'written' });
});
