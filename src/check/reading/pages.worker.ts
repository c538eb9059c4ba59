import { serve } from '../../runner/bounded-worker.ts';
import type { Page } from '../docs/page.ts';
import { parsePage } from '../docs/parse-page.ts';
import type { PageText } from './parse-pages.ts';

/** Takes the texts of pages, and returns what stands in them. */
serve((texts: readonly PageText[]): readonly Page[] =>
  texts.map(({ text, path }) => parsePage(text, path)),
);
