import type { DiffFile } from './git.ts';
import type { Pull } from './state.ts';

/** The web page of a pull request, with its title and its diff. */
export function pullPage(thread: Pull, files: readonly DiffFile[]): string {
  const { repository, pull } = thread;
  const state = pull.merged === undefined ? thread.state : 'merged';
  const diffs = files.map(
    ({ filename, status, patch = '' }) =>
      `<h2>${escapeHtml(filename)} <small>${escapeHtml(status)}</small></h2>
<pre>${escapeHtml(patch)}</pre>`,
  );
  const title = escapeHtml(`${thread.title} · #${thread.number}`);
  return `<!doctype html>
<meta charset="utf-8">
<title>${title}</title>
<style>body { font: 16px system-ui; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
pre { background: #f6f8fa; color: #1f2328; padding: 1rem; overflow: auto }</style>
<h1>${title}</h1>
<p>${escapeHtml(repository)}: <b>${state}</b>,
<code>${escapeHtml(pull.head.ref)}</code> into <code>${escapeHtml(pull.base.ref)}</code></p>
${diffs.join('\n')}
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
