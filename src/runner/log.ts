import * as core from '@actions/core';
import { logLine, logLines } from '../text/log.ts';

/** The log of a run. Every method escapes the text, so untrusted text is safe to print. */
export interface Log {
  /** A line of the log. */
  info(text: string): void;
  /** A line that appears only with debug logging. */
  debug(text: string): void;
  /** A line that also becomes an annotation. */
  notice(text: string): void;
  /** A line that also becomes a warning annotation. */
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
