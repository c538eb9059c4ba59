import { emptyPage, type Link, type Page } from './page.ts';
import { isImageFile, isVideoFile } from './page-url.ts';

/** A path in quotes, or what a style loads. */
const path =
  /(?<quote>["'`])(?<quoted>(?:\.{0,2}\/)[^\s"'`<>${}]{1,300})\k<quote>|\burl\(\s*["']?(?<loaded>[^\s"'()<>]{1,300})/gu;

/**
 * What a script, a component or a style sheet of the site leads to, so that what a change takes away and
 * they need is missed. Nothing else is read of them: a change of such a file is a finding by itself.
 */
export function codeFile(text: string): Page {
  let line = 1;
  let end = 0;
  const links = [...text.matchAll(path)].map(({ index, groups }): Link => {
    line += text.slice(end, index).split('\n').length - 1;
    end = index;
    const target = groups?.['quoted'] ?? groups?.['loaded'] ?? '';
    return { target, kind: kindOf(target), line };
  });
  return { ...emptyPage, links };
}

function kindOf(target: string): Link['kind'] {
  if (isImageFile(target)) {
    return 'image';
  }
  return isVideoFile(target) ? 'embed' : 'link';
}
