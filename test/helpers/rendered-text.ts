import { createRequire } from 'node:module';
import { HTMLRewriter } from 'html-rewriter-wasm';

/** GitHub's own renderer, compiled to JavaScript; it brings no types that fit. */
const cmark: unknown = createRequire(import.meta.url)('cmark-gfm-js');

/** Footnotes, and the language of a fence on `pre`, as GitHub has it. */
const options = (1 << 13) | (1 << 11);

/** HTML of a Markdown document, before GitHub cleans it. */
export function render(markdown: string): string {
  if (typeof cmark === 'object' && cmark !== null && 'convert' in cmark) {
    const { convert } = cmark;
    if (typeof convert === 'function') {
      return String(convert(markdown, options));
    }
  }
  throw new Error('cmark-gfm-js cannot be used.');
}

/** Elements whose content a browser does not show. */
const unseen = 'rp, video, audio';

/**
 * The text that a reader of the rendered document sees, read from the HTML by a parser that shares
 * no code with ours, and none with the renderer.
 */
export function renderedText(markdown: string): Promise<string> {
  return visibleTextOf(render(markdown));
}

export async function visibleTextOf(html: string): Promise<string> {
  let text = '';
  let depth = 0;
  const rewriter = new HTMLRewriter(() => undefined);
  rewriter.on(unseen, {
    element(element) {
      depth += 1;
      element.onEndTag(() => {
        depth -= 1;
      });
    },
  });
  rewriter.on('*', {
    element() {
      text += ' ';
    },
  });
  rewriter.onDocument({
    text(chunk) {
      text += depth === 0 ? chunk.text : '';
    },
  });
  try {
    await rewriter.write(new TextEncoder().encode(html));
    await rewriter.end();
  } finally {
    rewriter.free();
  }
  return text;
}
