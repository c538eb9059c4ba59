import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Exhibit, pageOf } from '../sandbox/demo/page.ts';
import { playDemo } from '../sandbox/demo/play.ts';
import { bundleOf, inRepository } from './actions.ts';

/**
 * Takes the README's pictures: plays the demo, and photographs the comment and the summary in light
 * and in dark. It needs Chromium, as `chromium` on the PATH or under the name in CHROMIUM.
 */
const chromium = process.env['CHROMIUM'] ?? 'chromium';

/** What holds a comment and a summary of one pull request, in CSS pixels. */
const size = { width: 920, height: 820 };

const exhibits: Exhibit[] = [];
await playDemo({
  ...bundleOf('agent'),
  screen: { print: () => {}, exhibit: (exhibit) => exhibits.push(exhibit) },
});

const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
try {
  mkdirSync(inRepository('docs/images'), { recursive: true });
  for (const theme of ['light', 'dark'] as const) {
    const page = join(folder, `${theme}.html`);
    writeFileSync(page, pageOf(exhibits.slice(0, 2), theme));
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
    console.log(`Took docs/images/result-${theme}.png.`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
