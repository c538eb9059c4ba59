import { createSigner } from '../../text/signature.ts';
import { beginningOf, type JobRecord, writeRecord } from './record.ts';

/** The entries in the cache. A record is a part of the key; what the entry contains is of no use. */
export interface Entries {
  /** What the keys of all records about a subject begin with. */
  prefixOf(subject: string): string;
  write(record: JobRecord): string;
  /** The text of a record; `undefined` for a key that was not signed here. */
  read(key: string): string | undefined;
}

const opening = 'docs-agent-action-v1-';

export function createEntries(apiKey: string): Entries {
  const signer = createSigner(apiKey, 'record v1');
  return {
    prefixOf: (subject) => opening + beginningOf(subject),
    write(record) {
      const text = writeRecord(record);
      return `${opening}${text}-${signer.sign([text])}`;
    },
    read(key) {
      const [, text = '', mac = ''] = /^(.*)-([\da-f]{64})$/.exec(key.slice(opening.length)) ?? [];
      return key.startsWith(opening) && signer.verify([text], mac) ? text : undefined;
    },
  };
}
