import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { playDemo } from './play.ts';
import { playPair } from './play-pair.ts';
import { styled } from './terminal.ts';

const inRepository = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const print = (text: string) => console.log(text);

function bundle(name: string, actionFile: string) {
  const path = `dist/${name}/index.js`;
  if (!existsSync(inRepository(path))) {
    throw new Error(`${path} is missing. Run \`npm run build\` first.`);
  }
  return { entry: inRepository(path), actionFile: inRepository(actionFile) };
}

try {
  const agent = bundle('agent', 'action.yml');
  const visitors = bundle('visitors', 'visitors/action.yml');
  await playDemo({ ...agent, print });
  await playPair({ agent, visitors, print });
  print(styled('green', '\nThe demo went well.'));
} catch (error) {
  console.error(styled('red', `\nThe demo failed: ${String(error)}`));
  process.exitCode = 1;
}
