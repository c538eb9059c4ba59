/**
 * Stands in for @actions/exec, with which @actions/core describes the machine. No action asks for that, and
 * without it a run loads neither @actions/exec nor Node's child_process before it needs them. An override
 * in package.json puts this in its place, for @actions/core alone.
 */
export function getExecOutput() {
  throw new Error('This action describes no machine.');
}
