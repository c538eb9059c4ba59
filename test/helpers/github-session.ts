import { onTestFinished } from 'vitest';
import { createGitHub, type GitHub } from '../../src/github/client.ts';
import type { Session } from '../../src/github/request.ts';
import {
  githubToken,
  type Routes,
  type Script,
  type ScriptedGitHub,
  scriptedGitHub,
} from './servers.ts';

/** A signal that is never aborted. */
export const noSignal = new AbortController().signal;

/** A client for this address, which is closed after the test. */
export function githubAt(apiUrl: string, httpProxy = ''): GitHub {
  const proxy = { httpProxy, httpsProxy: '', noProxy: '' };
  const github = createGitHub({ apiUrl, readProxy: () => proxy });
  onTestFinished(() => github.close());
  return github;
}

interface GitHubSession {
  readonly server: ScriptedGitHub;
  readonly github: GitHub;
  readonly session: Session;
}

/** A GitHub with scripted responses, and a session with it, which are closed after the test. */
export async function githubSession(script: Routes | Script): Promise<GitHubSession> {
  const server = await scriptedGitHub(script);
  onTestFinished(() => server.close());
  const github = githubAt(server.url);
  return { server, github, session: github.as(githubToken) };
}
