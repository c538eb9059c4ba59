import type { Constants } from './page-script.ts';
import { classNamesOf, cssOf } from './page-style.ts';
import { attributeOf, type Tag } from './page-tag.ts';

type Place = 'fixed' | 'over' | 'around' | 'flow';

/**
 * Whether an element lies over the page: over the whole window, or over all that stands around it. What
 * an element around it keeps within itself is an ordinary picture with a caption.
 */
export function isLayer(tag: Tag, tags: readonly Tag[], constants: Constants): boolean {
  const place = placeOf(tag, constants);
  return (
    place === 'fixed' ||
    (place === 'over' &&
      !tags.some(
        (other) => other.start < tag.start && tag.end <= other.end && isFrame(other, constants),
      ))
  );
}

/** A component may be anything, and most of them frame what they hold. */
function isFrame(tag: Tag, constants: Constants): boolean {
  return /^[A-Z]/.test(tag.name) || placeOf(tag, constants) !== 'flow';
}

const fixedStyle = /(?:^|;)\s*position:\s*(?:fixed|$|;)/i;
const overStyle = /(?:^|;)\s*position:\s*absolute/i;
const aroundStyle = /(?:^|;)\s*position:\s*(?:relative|sticky)/i;
/** From edge to edge, or higher than where it stands. */
const wideStyle =
  /(?:^|;)\s*(?:inset(?:-block)?:|(?:min-)?height:\s*\d+(?:%|[dls]?vh)|(?:top|margin-top|bottom):\s*-)/i;

const wideClass =
  /^(?:inset(?:-y)?-.*|(?:min-)?h-(?:full|screen|[dls]vh|\[.*)|-(?:top|mt|bottom)-.*)$/;

function placeOf(tag: Tag, constants: Constants): Place {
  const style = attributeOf(tag, 'style');
  const css = style === undefined ? '' : (cssOf(style, constants) ?? '');
  // `md:fixed` and `!fixed` are as good as `fixed`.
  const names = ['classname', 'class']
    .flatMap((name) => classNamesOf(attributeOf(tag, name), constants))
    .map((name) => name.replace(/^(?:[^\s[\]:]+:)*!?|!$/g, ''));
  const has = (...wanted: readonly string[]) => wanted.some((name) => names.includes(name));
  if (fixedStyle.test(css) || has('fixed', '[position:fixed]')) {
    return 'fixed';
  }
  if (overStyle.test(css) || has('absolute', '[position:absolute]')) {
    const isWide = wideStyle.test(css) || names.some((name) => wideClass.test(name));
    return isWide ? 'over' : 'around';
  }
  return aroundStyle.test(css) || has('relative', 'sticky') ? 'around' : 'flow';
}
