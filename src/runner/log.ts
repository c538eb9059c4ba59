import { withoutCommands } from '../text/output.ts';
import { oneLine, shortened, showUnseen } from '../text/plain.ts';
import type { Host } from './host.ts';

/** Where an annotation belongs. Everything in it may come from outside. */
interface AnnotationPlace {
  readonly title: string;
  /** Path in the repository; empty for none. */
  readonly file: string;
  /** From 1. */
  readonly line?: number | undefined;
}

/** The log of a run. Every method escapes the text, so untrusted text is safe to print. */
export interface Log {
  info(text: string): void;
  /** A line that appears only with debug logging. */
  debug(text: string): void;
  /** A line that also becomes an annotation, like those of `warning` and `error`. */
  notice(text: string): void;
  warning(text: string): void;
  /** Does not make the step fail. */
  error(text: string): void;
  /** An annotation at a file of the repository. */
  annotate(level: 'notice' | 'warning' | 'error', text: string, place: AnnotationPlace): void;
  /** A text of several lines that readers of the log unfold. */
  fold(title: string, text: string): void;
}

export function createLog(host: Omit<Host, 'env' | 'signal'>): Log {
  return {
    info: (text) => host.info(logLine(text)),
    debug: (text) => host.debug(logLine(text)),
    notice: (text) => host.notice(logLine(text)),
    warning: (text) => host.warning(logLine(text)),
    error: (text) => host.error(logLine(text)),
    annotate(level, text, { title, file, line }) {
      const place = isPlainPath(file)
        ? { file, ...(line === undefined ? {} : { startLine: line }) }
        : {};
      const where = file === '' || 'file' in place ? '' : `${file}: `;
      host[level](logLine(`${where}${text}`), { title: logLine(title), ...place });
    },
    fold(title, text) {
      host.startGroup(logLine(title));
      for (const line of logLines(text)) {
        host.info(line);
      }
      host.endGroup();
    },
  };
}

/**
 * GitHub finds a file only by its exact path. A path that would have to be escaped is written into the text
 * instead.
 */
function isPlainPath(path: string): boolean {
  return path !== '' && path.length <= 1000 && logLine(path) === path;
}

/** Longer lines are hard to read. GitHub's limit for an annotation is 4,096 characters. */
const maxLineLength = 2000;

/** Escapes text for stdout and stderr: the text becomes a single line without workflow commands. */
export function logLine(text: string): string {
  return withoutCommands(oneLine(text, maxLineLength));
}

/** Escapes lines that keep their indentation. A character that readers would not see is shown by its code point. */
function logLines(text: string): readonly string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => withoutCommands(`| ${shortened(showUnseen(line), maxLineLength)}`));
}
