import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Action, bundleOf, inRepository } from '../../scripts/actions.ts';
import { styled } from '../terminal.ts';
import { type Exhibit, pageOf } from './page.ts';
import { playDemo } from './play.ts';
import { playPair } from './play-pair.ts';
import type { Bundle, Screen } from './scenes.ts';

const exhibits: Exhibit[] = [];
const screen: Screen = {
  print: (text) => console.log(text),
  exhibit: (exhibit) => exhibits.push(exhibit),
};
const page = inRepository('build/demo.html');

function builtBundle(action: Action): Bundle {
  const bundle = bundleOf(action);
  if (!existsSync(bundle.entry)) {
    throw new Error(`${bundle.entry} is missing. Run \`npm run build\` first.`);
  }
  return bundle;
}

try {
  const agent = builtBundle('agent');
  const visitors = builtBundle('visitors');
  await playDemo({ ...agent, screen });
  await playPair({ agent, visitors, screen });
  mkdirSync(dirname(page), { recursive: true });
  writeFileSync(page, pageOf(exhibits));
  screen.print(styled('green', '\nThe demo went well.'));
  screen.print(`Open this page to see the comments and summaries as GitHub shows them: ${page}`);
} catch (error) {
  console.error(styled('red', `\nThe demo failed: ${String(error)}`));
  process.exitCode = 1;
}
