import * as core from '@actions/core';
import { logLine, logLines } from '../text/log.ts';

/** The log of a run. Every method makes the text safe to print, wherever it comes from. */
export interface Log {
  /** One line that every reader of the log sees. */
  info(text: string): void;
  /** One line for those who switched step debugging on. */
  debug(text: string): void;
  /** A line that also becomes an annotation of the run. */
  notice(text: string): void;
  /** A line that also becomes a yellow annotation of the run. */
  warning(text: string): void;
  /** A text of several lines that readers of the log unfold. */
  fold(title: string, text: string): void;
}

export const runnerLog: Log = {
  info: (text) => core.info(logLine(text)),
  debug: (text) => core.debug(logLine(text)),
  notice: (text) => core.notice(logLine(text)),
  warning: (text) => core.warning(logLine(text)),
  fold(title, text) {
    core.startGroup(logLine(title));
    for (const line of logLines(text)) {
      core.info(line);
    }
    core.endGroup();
  },
};
