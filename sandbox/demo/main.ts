import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { inRepository } from '../../scripts/actions.ts';
import { styled } from '../terminal.ts';
import { runCheckDemo, runLabelDemo, runRefreshDemo, runRerunDemo } from './demo.ts';
import { renderPage, type Section } from './page.ts';
import type { DemoOutput } from './stage.ts';

const sections: Section[] = [];
const output: DemoOutput = {
  print: (text) => console.log(text),
  addSection: (section) => sections.push(section),
};
const page = inRepository('build/demo.html');

const intro = `# What the demo showed

The comments, summaries and diffs, almost as on GitHub. Their links led to the demo's own GitHub, which has ended.`;

try {
  await runLabelDemo(output);
  await runRerunDemo(output);
  await runRefreshDemo(output);
  await runCheckDemo(output);
  mkdirSync(dirname(page), { recursive: true });
  writeFileSync(page, renderPage(sections, { intro }));
  output.print(styled('green', '\nThe demo succeeded.'));
  output.print(`Open this page to see the comments, summaries and diffs as on GitHub: ${page}`);
} catch (error) {
  console.error(styled('red', `\nThe demo failed: ${String(error)}`));
  process.exitCode = 1;
}
