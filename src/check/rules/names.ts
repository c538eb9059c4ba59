import { closest } from '../../text/closest.ts';
import type { Change, DocsVersion } from '../change.ts';
import { isMdx } from '../docs/kinds.ts';
import type { PageProblem } from '../docs/limits.ts';
import { linksOf } from '../docs/links.ts';
import type { Page } from '../docs/page.ts';
import { type NameUse, rootOf, type Scope } from '../docs/scope.ts';
import { type Sentence, say } from '../sentence.ts';
import { kindIn } from './page-changes.ts';

/** Components, values, variables and imports of a page that nothing defines. */
export function undefinedIn(
  path: string,
  page: Page,
  version: DocsVersion,
  knownComponents: Change['knownComponents'],
): readonly PageProblem[] {
  const { scope, uses } = page;
  const isPage = kindIn(version, path) === 'page';
  const isDefined = ({ kind, name }: NameUse): boolean => {
    switch (kind) {
      case 'component':
        return isInScope(name, scope) || components.has(name) || knownComponents.has(name);
      case 'variable':
        return isVariable(name, version);
      case 'text':
      case 'member':
      case 'code': {
        const given = kind === 'text' ? shownGlobals : globals;
        // The pages that include a snippet give it its values.
        return !isPage || isInScope(name, scope) || given.has(name) || isVariable(name, version);
      }
    }
  };
  return [
    ...uses
      .filter((use) => !isDefined(use))
      .map(({ kind, name, line }) => ({ line, what: sentences[kind](name) })),
    ...undefinedImports(page, path, version),
  ];
}

function isInScope(name: string, { imports, declared }: Scope): boolean {
  const root = rootOf(name);
  return imports.has(root) || declared.has(root);
}

/** If a part of the settings cannot be read, the variable may be declared there. */
function isVariable(name: string, { site }: DocsVersion): boolean {
  return site.variables.has(name) || site.problems.length > 0;
}

/**
 * The values that every page has: those of JavaScript and of browsers, as far as their names are no words of a text;
 * `props`, which MDX gives to a page; the hooks of React
 * (https://www.mintlify.com/docs/customize/react-components); and `user`
 * (https://www.mintlify.com/docs/create/personalization).
 */
const globals: ReadonlySet<string> = new Set(
  [
    'AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt undefined unescape',
    'AbortController AbortSignal Audio Blob BroadcastChannel CSS CompressionStream Crypto CryptoKey CustomEvent DOMException DOMParser DecompressionStream Element Event EventSource EventTarget File FileReader FormData HTMLElement HTMLInputElement Headers Image IntersectionObserver KeyboardEvent MessageChannel MessageEvent MessagePort MouseEvent MutationObserver Node Notification Performance PerformanceObserver ReadableStream Request ResizeObserver Response SubtleCrypto TextDecoder TextDecoderStream TextEncoder TextEncoderStream TransformStream URL URLPattern URLSearchParams WebSocket Worker WritableStream XMLHttpRequest addEventListener alert atob btoa cancelAnimationFrame cancelIdleCallback clearInterval clearTimeout console crypto customElements devicePixelRatio dispatchEvent document fetch getComputedStyle getSelection history indexedDB innerHeight innerWidth localStorage location matchMedia navigator performance queueMicrotask removeEventListener requestAnimationFrame requestIdleCallback screen scrollBy scrollTo scrollX scrollY self sessionStorage setInterval setTimeout structuredClone visualViewport window',
    'Fragment React props useCallback useContext useEffect useMemo useReducer useRef useState user',
  ].flatMap((names) => names.split(' ')),
);

/** The globals that show something if they stand alone in braces: the others are objects and functions. */
const shownGlobals: ReadonlySet<string> = new Set(['undefined', 'NaN', 'Infinity']);

/** Components of Mintlify, as of August 2026 (https://mintlify.com/docs/components). */
const components = new Set(
  'Accordion AccordionGroup Badge Banner Callout Card CardGroup Check CodeBlock CodeGroup Color Color.Item Color.Row Column Columns Danger Expandable FileTree Frame GitHub.Repo Heading Icon Info Latex Note Panel Param ParamField Prompt RequestExample ResponseExample ResponseField Snippet Step Steps Tab Tabs Tile Tip Tooltip Tree Tree.File Tree.Folder Update View Visibility Warning'.split(
    ' ',
  ),
);

const sentences: Readonly<Record<NameUse['kind'], (name: string) => Sentence>> = {
  component(name) {
    const meant = closest(name, [...components]);
    const dropped = say`Nothing defines the component ${`<${name}>`}, so Mintlify drops it and what stands in it:`;
    return meant === undefined
      ? say`${dropped} import it, or use a component of Mintlify's.`
      : say`${dropped} did you mean ${`<${meant}>`}?`;
  },
  text: ofText,
  member: ofText,
  code: (name) =>
    say`Nothing declares ${name}, which an expression of the page needs: declare or import it, or correct the name.`,
  variable: (name) =>
    say`The settings declare no variable ${`{{${name}}}`}, so Mintlify cannot build the site: correct the name, or add it to ${'variables'} in docs.json.`,
};

function ofText(name: string): Sentence {
  const [code, escaped] = [`{${name}}`, `\\{${name}\\}`];
  return say`Nothing declares ${code}, so Mintlify drops it: write ${escaped} if readers should see it.`;
}

/** Imports of names that the imported page or snippet does not export. Other files are not parsed as MDX. */
function undefinedImports(
  { scope }: Page,
  path: string,
  version: DocsVersion,
): readonly PageProblem[] {
  // The default export of a page is its text.
  const named = [...scope.imports.values()].filter(({ name }) => !/^(?:default|\*)$/u.test(name));
  return named.flatMap(({ source, name, line }) => {
    const file = linksOf(version).resolveImport(source, path) ?? '';
    const imported = isMdx(file, version.site) ? version.pages.get(file) : undefined;
    const exports = imported?.problem === undefined ? imported?.scope.exports : undefined;
    const what = say`The file ${source} exports no ${name}: correct the import, or export it there.`;
    return exports === undefined || exports.has(name) || exports.has('*') ? [] : [{ line, what }];
  });
}
