import { markdownToHTML } from 'comrak';
import { HTMLRewriter } from 'html-rewriter-wasm';

/** Renders as GitHub does: comrak follows GitHub's renderer, and shares no code with our parser. */
const options = {
  extension: {
    autolink: true,
    footnotes: true,
    strikethrough: true,
    table: true,
    tagfilter: true,
    tasklist: true,
  },
  render: { gfmQuirks: true, githubPreLang: true, unsafe: true },
};

/** GitHub's HTML of Markdown, before it is sanitized. */
export function renderMarkdown(markdown: string): string {
  return markdownToHTML(markdown, options);
}

/** What a reader of a rendered document gets. */
export interface Rendered {
  /** The text that they see. */
  readonly text: string;
  /** The targets of links, and the images. */
  readonly addresses: string;
}

/** Elements whose content a browser does not show. */
const unseen = 'rp, video, audio';

/**
 * Renders Markdown, and parses the HTML with Cloudflare's parser. Like GitHub, it removes comments, and
 * unknown tags but not their content.
 */
export async function readRendered(markdown: string): Promise<Rendered> {
  let text = '';
  let addresses = '';
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
    element(element) {
      text += ' ';
      addresses += ` ${element.getAttribute('href') ?? element.getAttribute('src') ?? ''}`;
    },
  });
  rewriter.onDocument({
    text(chunk) {
      text += depth === 0 ? chunk.text : '';
    },
  });
  try {
    await rewriter.write(new TextEncoder().encode(renderMarkdown(markdown)));
    await rewriter.end();
  } finally {
    rewriter.free();
  }
  return { text, addresses };
}
