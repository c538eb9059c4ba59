import { serve } from '../../common/bounded-worker.ts';
import { visibleMarkdown } from './hidden/visible-markdown.ts';
import type { VisibleText } from './hidden/visible-text.ts';

/** Texts in Markdown in, what readers see of them out. */
serve((texts: readonly string[]): readonly VisibleText[] => texts.map(visibleMarkdown));
