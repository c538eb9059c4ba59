import { onTestFinished } from 'vitest';
import { type Reply, type ScriptedApi, scriptedApi } from './scripted-api.ts';
import { type Routes, type ScriptedGitHub, scriptedGitHub } from './scripted-github.ts';

/** A scripted GitHub and a scripted API, which are closed after the test. */
export async function startBoth(
  routes: Routes,
  scriptOf: (github: ScriptedGitHub) => readonly Reply[],
): Promise<{ github: ScriptedGitHub; api: ScriptedApi }> {
  const github = await scriptedGitHub(routes);
  const api = await scriptedApi(scriptOf(github));
  onTestFinished(async () => {
    await Promise.all([github.close(), api.close()]);
  });
  return { github, api };
}
