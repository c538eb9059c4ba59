import { serve } from '../../runner/bounded-worker.ts';
import { visibleMarkdown } from './hidden/visible-markdown.ts';
import type { VisibleText } from './hidden/visible-plain.ts';

/** Texts in Markdown in, what readers see of them out. */
serve((texts: readonly string[]): readonly VisibleText[] => texts.map(visibleMarkdown));
