import { serve } from '../../runner/bounded-worker.ts';
import { visibleMarkdown } from './hidden/visible-markdown.ts';
import type { VisibleText } from './hidden/visible-text.ts';

/** Takes Markdown texts, and returns what readers see of them. */
serve((texts: readonly string[]): readonly VisibleText[] => texts.map(visibleMarkdown));
