import { readFileSync } from 'node:fs';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/** A section of the page: a comment or a summary. */
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
}

/**
 * Renders an HTML page that shows comments and summaries almost as GitHub does.
 *
 * The Markdown may contain untrusted text, so the page has a policy that blocks scripts and requests.
 */
export function renderPage(
  sections: readonly Section[],
  { theme = 'auto', intro = '' }: PageOptions = {},
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
    '<title>Comments and summaries of the demo</title>',
    `<style>${css}${layout}</style>`,
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
  return html.replace(/<pre><code class="language-mermaid">([^<]*)<\/code><\/pre>/g, (_, chart) =>
    renderChart(chart),
  );
}

const radius = 80;

/**
 * The policy allows no script that could draw a chart, so a pie is drawn here. Any other chart is left
 * out, because a table with its figures follows it.
 *
 * @param chart Mermaid's code, as escaped HTML
 */
function renderChart(chart: string): string {
  if (!/^pie /m.test(chart)) {
    return '';
  }
  const slices = [...chart.matchAll(/^ +&quot;(.*)&quot; : ([\d.]+)$/gm)].map(
    ([, label = '', value]) => ({ label, value: Number(value) }),
  );
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  let start = 0;
  const shapes = slices.map(({ label, value }, index) => {
    const [from, share] = [start, value / total];
    start += share;
    const fill = `fill="currentColor" fill-opacity="${0.75 - 0.2 * (index % 4)}"`;
    const text = `${label}: ${value.toLocaleString('en')} (${(share * 100).toFixed(0)}%)`;
    return `${sector(from, share, fill)}<rect x="200" y="${20 + index * 24}" width="14" height="14" ${fill}/><text x="222" y="${32 + index * 24}" fill="currentColor">${text}</text>`;
  });
  return `<svg role="img" width="500" height="180" viewBox="0 0 500 180">${shapes.join('')}</svg>`;
}

/** A sector of the pie, clockwise from the top. @param from @param share parts of the whole */
function sector(from: number, share: number, fill: string): string {
  if (share > 0.9999) {
    return `<circle cx="90" cy="90" r="${radius}" ${fill}/>`;
  }
  const at = (turn: number) =>
    [Math.sin, (angle: number) => -Math.cos(angle)]
      .map((along) => (90 + radius * along(turn * 2 * Math.PI)).toFixed(1))
      .join(' ');
  return `<path d="M90 90 L${at(from)} A${radius} ${radius} 0 ${share > 0.5 ? 1 : 0} 1 ${at(from + share)} Z" ${fill}/>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);
}
