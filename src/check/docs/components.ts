/**
 * Mintlify's components with the attributes that its documentation names, as of 21 August 2026
 * (https://mintlify.com/docs/components). What stands in one of them with these attributes is shown to
 * readers as it is written, unless `showsPart` says otherwise. `Visibility` is known too, but it hides what stands in it.
 */
export const components = setsByName({
  '': 'AccordionGroup Column FileTree Panel Tree',
  'title icon': 'Check Danger Info Note Tip Warning',
  'title icon iconType': 'View',
  'icon iconType color title': 'Callout',
  'icon iconType color size': 'Icon',
  'title id icon iconType': 'Tab',
  'title icon iconType stepNumber titleSize id noAnchor': 'Step',
  'title description defaultOpen id icon iconType': 'Accordion',
  'color size shape stroke icon iconType': 'Badge',
  'title icon iconType color href horizontal img cta arrow': 'Card',
  'href title description': 'Tile',
  'title defaultOpen': 'Expandable',
  'label description tags rss id': 'Update',
  'name type required deprecated default pre post': 'ResponseField',
  'query path body header type required deprecated default placeholder initialValue enum':
    'Param ParamField',
  dropdown: 'CodeGroup RequestExample ResponseExample',
  cols: 'CardGroup Columns',
  titleSize: 'Steps',
  'sync borderBottom': 'Tabs',
  'caption hint': 'Frame',
  'level id': 'Heading',
  'tip headline cta href': 'Tooltip',
  file: 'Snippet',
  'name highlight': 'Tree.File',
  'name defaultOpen highlight': 'Tree.Folder',
});

/** Components that Mintlify has, though a page with one of them is not plain: formulas can hide text, and readers copy a prompt unread. */
export const unplainComponents = setOf(
  'Visibility Banner CodeBlock Color Color.Row Color.Item GitHub.Repo Latex Prompt',
);

/** Without these, a component is not shown, or its page not at all. */
export const required = byName({ icon: 'Icon', title: 'Accordion Tab View' });

/** What alone some elements show: nothing, or some parts. Known from `@mintlify/components`, as of November 2026. */
const parts = setsByName({
  '': 'br hr Icon img Snippet source Tree.File',
  code: 'CodeGroup RequestExample ResponseExample',
  source: 'video',
  Step: 'Steps',
  Tab: 'Tabs',
  'Tree.File Tree.Folder list': 'FileTree Tree Tree.Folder',
});

/** Whether an element shows something that stands in it, by its name or by its kind in Markdown. */
export function showsPart(element: string, part: string): boolean {
  const shown = parts.get(element);
  if (shown === undefined || shown.has(part)) {
    return true;
  }
  // Snippets and components of the docs' own can be such a part.
  const isOwn = part === 'Snippet' || (/^\p{Lu}/u.test(part) && !components.has(part));
  return isOwn && !shown.has('');
}

/** HTML elements whose content is shown as it is written, by their own attributes and those that every one may have. */
export const elements = setsByName(
  {
    '': 'br hr p div span kbd b i strong em code ul ol li blockquote h2 h3 h4 h5 h6',
    open: 'details summary',
    'name href target rel': 'a',
    'src alt title width height noZoom loading': 'img',
    'src alt title width height type poster preload autoPlay autoplay controls loop muted playsInline playsinline':
      'video source',
  },
  ' id align',
);

/** The plain attributes of a component or an HTML element; `undefined` of one that is on no list. */
export function attributesOf(name: string): ReadonlySet<string> | undefined {
  return components.get(name) ?? elements.get(name);
}

/** Of pictures and videos: a size, corners, borders, and one for light and one for dark. */
export const pictureClasses =
  /^(?:(?:block dark:hidden|hidden dark:block|(?:rounded|border|shadow|w|max-w|mx|my)(?:-(?!0)[\w./]+)?)(?: |$))*$/;

/** Attributes that readers see as text. */
export const shownAttributes = setOf(
  'title description caption hint label alt cta type name query path body header pre post filename',
);

/** Attributes of which readers see the text in some places only, such as below the pointer. */
export const pointedAttributes = setOf(
  'tip headline default enum placeholder value initialValue tags rss',
);

/** Attributes that hold an address, which is judged as a link. */
export const addressAttributes = setOf('href src img poster');

/** For each name of a table that lists the names of each key, the words of its key, and some more. */
function setsByName(table: Readonly<Record<string, string>>, more = '') {
  return new Map([...byName(table)].map(([name, words]) => [name, setOf(words + more)] as const));
}

/** The key of each name in a table that lists the names of each key. */
export function byName<Key extends string>(
  table: Readonly<Record<Key, string>>,
): ReadonlyMap<string, Key> {
  const rows = Object.entries(table) as [Key, string][];
  return new Map(rows.flatMap(([key, names]) => names.split(' ').map((name) => [name, key])));
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
