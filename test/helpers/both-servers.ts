import { onTestFinished } from 'vitest';
import { type Routes, type ScriptedGitHub, scriptedGitHub } from './scripted-github.ts';
import { type Reply, type ScriptedService, scriptedService } from './scripted-service.ts';

/** A GitHub and a service that follow scripts, until the test is over. */
export async function startBoth(
  routes: Routes,
  scriptOf: (github: ScriptedGitHub) => readonly Reply[],
): Promise<{ github: ScriptedGitHub; service: ScriptedService }> {
  const github = await scriptedGitHub(routes);
  const service = await scriptedService(scriptOf(github));
  onTestFinished(async () => {
    await Promise.all([github.close(), service.close()]);
  });
  return { github, service };
}
