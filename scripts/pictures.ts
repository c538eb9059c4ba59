import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCheckDemo, runLabelDemo } from '../sandbox/demo/demo.ts';
import { renderPage, type Section } from '../sandbox/demo/page.ts';
import type { DemoOutput } from '../sandbox/demo/stage.ts';
import { inRepository } from './actions.ts';

/**
 * Takes the README's picture, in the light and in the dark theme: the comment on a labelled issue with the
 * changes of its pull request, beside what the check says of a change that breaks the site. It needs
 * Chromium, as `chromium` on the PATH or under the name in CHROMIUM.
 */
const chromium = process.env['CHROMIUM'] ?? 'chromium';

/** Large enough for the two cards, in CSS pixels. */
const size = { width: 1080, height: 890 };
const style = `
body { align-items: start; display: flex; gap: 16px; max-width: none; padding: 16px; }
body::before, body::after { display: none !important; }
.markdown-body section { flex: 1; margin: 0; min-width: 0; }
`;

async function sectionsOf(demo: (output: DemoOutput) => Promise<void>): Promise<Section[]> {
  const sections: Section[] = [];
  await demo({ print: () => {}, addSection: (section) => sections.push(section) });
  return sections;
}

const labelled = await sectionsOf(runLabelDemo);
const checked = await sectionsOf(runCheckDemo);
const cards = [
  {
    title: 'A label on an issue: a pull request for the docs',
    markdown: labelled.map(({ markdown }) => markdown).join('\n\n'),
  },
  {
    title: 'Another one renames a page: what the check says',
    markdown: checked.at(-1)?.markdown ?? '',
  },
];

const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
try {
  mkdirSync(inRepository('docs/images'), { recursive: true });
  for (const theme of ['light', 'dark'] as const) {
    const page = join(folder, `${theme}.html`);
    writeFileSync(page, renderPage(cards, { theme, style }));
    execFileSync(chromium, [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--hide-scrollbars',
      '--force-device-scale-factor=2',
      `--user-data-dir=${join(folder, 'profile')}`,
      `--window-size=${size.width},${size.height}`,
      `--screenshot=${inRepository(`docs/images/result-${theme}.png`)}`,
      page,
    ]);
    console.log(`Wrote docs/images/result-${theme}.png.`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
