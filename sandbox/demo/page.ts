import { readFileSync } from 'node:fs';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/** A section of the page: a comment, a summary or a diff. */
export interface Section {
  /** What is shown, and of which run, since a page has more than one summary. */
  readonly title: string;
  readonly markdown: string;
}

type Theme = 'light' | 'dark' | 'auto';

const styles: Readonly<Record<Theme, string>> = {
  light: 'github-markdown-light.css',
  dark: 'github-markdown-dark.css',
  auto: 'github-markdown.css',
};

interface PageOptions {
  readonly theme?: Theme;
  /** Markdown above the sections. */
  readonly intro?: string;
  /** Styles that come last. */
  readonly style?: string;
}

/**
 * Renders an HTML page that shows comments, summaries and diffs almost as GitHub does.
 *
 * The Markdown may contain untrusted text, so the page has a policy that blocks scripts and requests.
 */
export function renderPage(
  sections: readonly Section[],
  { theme = 'auto', intro = '', style = '' }: PageOptions = {},
): string {
  const css = readFileSync(
    new URL(`../../node_modules/github-markdown-css/${styles[theme]}`, import.meta.url),
    'utf8',
  );
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta name="color-scheme" content="${theme === 'auto' ? 'light dark' : theme}">`,
    '<title>What the demo showed</title>',
    `<style>${css}${layout}${style}</style>`,
    '<body class="markdown-body">',
    renderMarkdown(intro),
    ...sections.map(renderSection),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

const layout = `
body { margin: 0 auto; max-width: 860px; padding: 24px; }
.markdown-body section { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 6px; margin-bottom: 24px; }
.markdown-body section > h2 { background: color-mix(in srgb, currentColor 6%, transparent); border: 0; border-radius: 6px 6px 0 0; font-size: 1rem; margin: 0; padding: 8px 16px; }
.markdown-body section > div { padding: 16px; }
.markdown-body table { width: fit-content; }
.markdown-body ins, .markdown-body del, .markdown-body pre em { display: inline-block; font-style: normal; min-width: 100%; text-decoration: none; }
.markdown-body ins { background: #2da44e33; }
.markdown-body del { background: #cf222e26; }
.markdown-body pre em { opacity: 0.6; }
`;

function renderSection({ title, markdown }: Section): string {
  return `<section><h2>${escapeHtml(title)}</h2><div>${renderMarkdown(markdown)}</div></section>`;
}

function renderMarkdown(markdown: string): string {
  const html = micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
  return html.replace(/(?<=<code class="language-diff">)[^<]*/g, (diff) =>
    diff
      .replace(/^\+.*$/gm, '<ins>$&</ins>')
      .replace(/^-.*$/gm, '<del>$&</del>')
      .replace(/^@@.*$/gm, '<em>$&</em>'),
  );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);
}
