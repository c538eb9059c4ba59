import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The origin of an attested file, as the options of `gh attestation verify` name it. */
interface Origin {
  readonly repo: string;
  readonly signerWorkflow: string;
  readonly sourceDigest: string;
  readonly sourceRef: string;
}

/** A stand-in for GitHub's artifact attestations. */
export interface Attestations {
  /** A folder with a `gh` that verifies them, and passes all other commands to the real `gh`. */
  readonly programs: string;
  attest(content: string, origin: Origin): void;
  /** How many files were refused so far. act can lose the last lines of a step that fails. */
  refusals(): number;
}

const VERIFY = `
const { createHash } = require('node:crypto');
const { appendFileSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { parseArgs } = require('node:util');
const text = { type: 'string' };
const { values, positionals: [,, file] } = parseArgs({
  allowPositionals: true,
  options: {
    repo: text, 'signer-workflow': text, 'source-digest': text, 'source-ref': text,
    'deny-self-hosted-runners': { type: 'boolean' },
  },
});
const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
const wanted = JSON.stringify([
  sha256, values.repo, values['signer-workflow'], values['source-digest'], values['source-ref'],
]);
const known = readFileSync(join(__dirname, 'attested'), 'utf8').split('\\n');
if (!known.includes(wanted)) {
  appendFileSync(join(__dirname, 'refused'), wanted + '\\n');
  console.error('Error: no attestation matches ' + wanted);
  process.exit(1);
}
`;

/** @param folder an empty one */
export function createAttestations(folder: string): Attestations {
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  writeFileSync(join(folder, 'attested'), '');
  writeFileSync(join(folder, 'refused'), '');
  writeFileSync(join(folder, 'verify.cjs'), VERIFY);
  writeFileSync(
    join(programs, 'gh'),
    `#!/bin/sh
case "$1 $2" in
  'attestation verify') exec node '${join(folder, 'verify.cjs')}' "$@" ;;
esac
PATH="\${PATH#'${programs}':}"
exec gh "$@"
`,
  );
  chmodSync(join(programs, 'gh'), 0o755);
  return {
    programs,
    attest(content, { repo, signerWorkflow, sourceDigest, sourceRef }) {
      const sha256 = createHash('sha256').update(content).digest('hex');
      const line = JSON.stringify([sha256, repo, signerWorkflow, sourceDigest, sourceRef]);
      writeFileSync(join(folder, 'attested'), `${line}\n`, { flag: 'a' });
    },
    refusals: () => readFileSync(join(folder, 'refused'), 'utf8').split('\n').length - 1,
  };
}
