import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLabelDemo } from '../sandbox/demo/demo.ts';
import { renderPage, type Section } from '../sandbox/demo/page.ts';
import { inRepository } from './actions.ts';

/**
 * Takes the README's pictures: runs the demo, and takes screenshots of the comment and the summary
 * in the light and in the dark theme. It needs Chromium, as `chromium` on the PATH or under the name
 * in CHROMIUM.
 */
const chromium = process.env['CHROMIUM'] ?? 'chromium';

/** Large enough for the comment and the summary of one pull request, in CSS pixels. */
const size = { width: 920, height: 820 };

const sections: Section[] = [];
await runLabelDemo({ print: () => {}, addSection: (section) => sections.push(section) });

const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
try {
  mkdirSync(inRepository('docs/images'), { recursive: true });
  for (const theme of ['light', 'dark'] as const) {
    const page = join(folder, `${theme}.html`);
    writeFileSync(page, renderPage(sections.slice(0, 2), { theme }));
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
