/**
 * Preloaded with `node --import`, this prints on stderr which files a process loads, and which it forks
 * other processes from.
 */

import childProcess from 'node:child_process';
import { writeSync } from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';

registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith('file:')) {
      writeSync(2, `loads ${url}\n`);
    }
    return nextLoad(url, context);
  },
});

const { fork } = childProcess;
childProcess.fork = (entry, ...rest) => {
  writeSync(2, `forks ${entry}\n`);
  return fork(entry, ...rest);
};
syncBuiltinESMExports();
