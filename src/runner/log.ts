import * as core from '@actions/core';
import { logLine, logLines } from '../text/log.ts';

/** Where an annotation belongs. Everything in it may come from outside. */
export interface AnnotationPlace {
  readonly title: string;
  /** Path in the repository; empty for none. */
  readonly file: string;
  /** From 1. */
  readonly line?: number;
}

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
  /** An annotation at a file of the repository. */
  annotate(level: 'notice' | 'warning' | 'error', text: string, place: AnnotationPlace): void;
  /** A text of several lines that readers of the log unfold. */
  fold(title: string, text: string): void;
}

export const runnerLog: Log = {
  info: (text) => core.info(logLine(text)),
  debug: (text) => core.debug(logLine(text)),
  notice: (text) => core.notice(logLine(text)),
  warning: (text) => core.warning(logLine(text)),
  annotate(level, text, { title, file, line }) {
    const place = isPlainPath(file)
      ? { file, ...(line === undefined ? {} : { startLine: line }) }
      : {};
    const where = file === '' || 'file' in place ? '' : `${file}: `;
    announce[level](logLine(`${where}${text}`), { title: logLine(title), ...place });
  },
  fold(title, text) {
    core.startGroup(logLine(title));
    for (const line of logLines(text)) {
      core.info(line);
    }
    core.endGroup();
  },
};

const announce = { notice: core.notice, warning: core.warning, error: core.error } as const;

/** GitHub finds a file only by its very path, so one that would have to be escaped stays in the text. */
function isPlainPath(path: string): boolean {
  return path !== '' && path.length <= 1000 && logLine(path) === path;
}
