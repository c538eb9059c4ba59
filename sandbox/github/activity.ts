import type { Route } from './route.ts';

/** The list of what happened to branches, which emulate lacks. Nobody force-pushes here. */
export function activityRoutes(): Route[] {
  return [
    {
      method: 'GET',
      path: /^\/repos\/[^/]+\/[^/]+\/activity$/,
      handle: async () => ({ status: 200, body: [] }),
    },
  ];
}
