import { serve } from '../../runner/bounded-worker.ts';
import { parsePage } from '../docs/parse-page.ts';
import type { PageText } from './parse-pages.ts';

/** Takes the texts of pages, and reports what stands in each, one after the other. */
serve(async (texts: readonly PageText[], report) => {
  for (const { text, path } of texts) {
    await report(parsePage(text, path));
  }
});
