import { existsSync } from 'node:fs';
import { type Action, bundleOf } from '../../scripts/actions.ts';
import { styled } from '../terminal.ts';
import { playDemo } from './play.ts';
import { playPair } from './play-pair.ts';
import type { Bundle } from './scenes.ts';

const print = (text: string) => console.log(text);

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
  await playDemo({ ...agent, print });
  await playPair({ agent, visitors, print });
  print(styled('green', '\nThe demo went well.'));
} catch (error) {
  console.error(styled('red', `\nThe demo failed: ${String(error)}`));
  process.exitCode = 1;
}
