import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { playDemo } from './play.ts';
import { styled } from './terminal.ts';

const inRepository = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const entry = inRepository('dist/agent/index.js');

try {
  if (!existsSync(entry)) {
    throw new Error('dist/agent/index.js is missing. Run `npm run build` first.');
  }
  const actionFile = inRepository('action.yml');
  await playDemo({ entry, actionFile, print: (text) => console.log(text) });
} catch (error) {
  console.error(styled('red', `\nThe demo failed: ${String(error)}`));
  process.exitCode = 1;
}
