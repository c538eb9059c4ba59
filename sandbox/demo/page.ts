import { readFileSync } from 'node:fs';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/** A section of the page: a comment or a summary. */
export interface Section {
  /** Such as `Comment on issue #1`. */
  readonly title: string;
  readonly markdown: string;
}

type Theme = 'light' | 'dark' | 'auto';

const styles: Readonly<Record<Theme, string>> = {
  light: 'github-markdown-light.css',
  dark: 'github-markdown-dark.css',
  auto: 'github-markdown.css',
};

/**
 * Renders an HTML page that shows comments and summaries almost as GitHub does.
 *
 * The Markdown may contain untrusted text, so the page has a policy that blocks scripts and requests.
 */
export function renderPage(sections: readonly Section[], theme: Theme = 'auto'): string {
  const css = readFileSync(
    new URL(`../../node_modules/github-markdown-css/${styles[theme]}`, import.meta.url),
    'utf8',
  );
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<meta name="color-scheme" content="${theme === 'auto' ? 'light dark' : theme}">`,
    '<title>Comments and summaries of the demo</title>',
    `<style>${css}${layout}</style>`,
    '<body class="markdown-body">',
    ...sections.map(renderSection),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

const layout = `
body { margin: 0 auto; max-width: 860px; padding: 24px; }
.markdown-body section { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 6px; margin-bottom: 24px; }
.markdown-body section > header { background: color-mix(in srgb, currentColor 6%, transparent); border-radius: 6px 6px 0 0; font-weight: 600; padding: 8px 16px; }
.markdown-body section > div { padding: 16px; }
.markdown-body table { width: fit-content; }
.markdown-body pre:has(> .language-mermaid)::before { content: 'GitHub shows this as a chart:'; display: block; font-style: italic; margin-bottom: 8px; }
`;

function renderSection({ title, markdown }: Section): string {
  const html = micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
  return `<section><header>${escapeHtml(title)}</header><div>${html}</div></section>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);
}
