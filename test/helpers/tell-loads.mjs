/** Preloaded with `node --import`, this tells on stderr which files a process loads. */

import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith('file:')) {
      writeSync(2, `loads ${url}\n`);
    }
    return nextLoad(url, context);
  },
});
