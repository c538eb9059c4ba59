import { markdownToHTML } from 'comrak';
import { HTMLRewriter } from 'html-rewriter-wasm';

/** As GitHub renders; comrak follows GitHub's own renderer, with which our parser shares no code. */
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

/** What a reader of a rendered document comes by. */
export interface Rendered {
  /** The text that they see. */
  readonly text: string;
  /** Where links lead and what images show. */
  readonly addresses: string;
}

/** Elements whose content a browser does not show. */
const unseen = 'rp, video, audio';

/**
 * Renders Markdown, and reads the HTML with Cloudflare's parser; GitHub takes out comments and
 * unknown tags without what they enclose.
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
    await rewriter.write(new TextEncoder().encode(markdownToHTML(markdown, options)));
    await rewriter.end();
  } finally {
    rewriter.free();
  }
  return { text, addresses };
}
