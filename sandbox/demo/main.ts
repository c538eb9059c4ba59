import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Action, bundleOf, inRepository } from '../../scripts/actions.ts';
import { styled } from '../terminal.ts';
import { runLabelDemo } from './label-demo.ts';
import { renderPage, type Section } from './page.ts';
import { runRefreshDemo } from './refresh-demo.ts';
import { runRerunDemo } from './rerun-demo.ts';
import type { Bundle, DemoOutput } from './steps.ts';

const sections: Section[] = [];
const output: DemoOutput = {
  print: (text) => console.log(text),
  addSection: (section) => sections.push(section),
};
const page = inRepository('build/demo.html');

const intro = `# What the demo showed

The comment and the summaries, almost as on GitHub. Their links led to the demo's own GitHub, which has ended.`;

function builtBundle(action: Action): Bundle {
  const bundle = bundleOf(action);
  if (!existsSync(bundle.entry)) {
    throw new Error(`${bundle.entry} does not exist: run npm run build first.`);
  }
  return bundle;
}

try {
  const agent = builtBundle('agent');
  const visitors = builtBundle('visitors');
  const check = builtBundle('check');
  await runLabelDemo({ ...agent, output });
  await runRerunDemo({ ...agent, output });
  await runRefreshDemo({ agent, visitors, check, output });
  mkdirSync(dirname(page), { recursive: true });
  writeFileSync(page, renderPage(sections, { intro }));
  output.print(styled('green', '\nThe demo succeeded.'));
  output.print(`Open this page to see the comment and the summaries as on GitHub: ${page}`);
} catch (error) {
  console.error(styled('red', `\nThe demo failed: ${String(error)}`));
  process.exitCode = 1;
}
