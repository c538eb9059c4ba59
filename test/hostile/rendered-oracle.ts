import { type Element, HTMLRewriter } from 'html-rewriter-wasm';
import { renderMarkdown } from '../helpers/rendered-text.ts';
import { canary } from './hostile-text.ts';

/** The elements that our reports consist of. */
const own = new Set('h3 h4 p a code pre table thead tbody tr th td ul li strong sub br'.split(' '));

/**
 * Finds untrusted text that has an effect in Markdown once GitHub has rendered it: it may only stand in
 * code, where GitHub makes neither links nor mentions of it.
 *
 * @param addresses what every link has to begin with
 * @returns descriptions of the problems
 */
export async function findRenderedEffects(
  markdown: string,
  addresses: readonly string[],
): Promise<readonly string[]> {
  const problems: string[] = [];
  let codes = 0;
  let outside = '';
  const rewriter = new HTMLRewriter(() => undefined);
  rewriter.on('*', {
    element(element) {
      problems.push(...foreignParts(element, addresses));
      if (element.tagName === 'code' || element.tagName === 'pre') {
        codes += 1;
        element.onEndTag(() => {
          codes -= 1;
        });
      }
    },
    comments(comment) {
      problems.push(`a comment: ${comment.text}`);
    },
  });
  rewriter.onDocument({
    text(chunk) {
      outside += codes === 0 ? chunk.text : '';
    },
  });
  try {
    await rewriter.write(new TextEncoder().encode(renderMarkdown(markdown)));
    await rewriter.end();
  } finally {
    rewriter.free();
  }
  return [...problems, ...(outside.includes(canary) ? [`foreign text: ${outside}`] : [])];
}

function foreignParts({ tagName, attributes }: Element, addresses: readonly string[]): string[] {
  const foreign = [...attributes].filter(([name, value]) => !isOwn(name, value, addresses));
  return [
    ...(own.has(tagName) ? [] : [`an element: ${tagName}`]),
    ...foreign.map(([name, value]) => `an attribute: ${name}=${value}`),
  ];
}

function isOwn(name: string, value: string, addresses: readonly string[]): boolean {
  switch (name) {
    case 'href':
      // GitHub makes a link of every e-mail address, however its characters are written.
      return addresses.some((address) => value.startsWith(address)) || value.startsWith('mailto:');
    case 'lang':
      return value === 'diff';
    case 'align':
      return value === 'left' || value === 'right';
    default:
      return false;
  }
}
