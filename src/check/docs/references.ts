import type { Place } from '../finding.ts';
import type { Field } from './front-matter.ts';
import { parsePage, type Reference } from './page.ts';
import { isList, type Literal, type LiteralObject, textsIn } from './script.ts';
import type { SettingsReader } from './settings.ts';

export interface PlacedReference extends Reference {
  readonly place: Place;
}

/** A path with an extension, as files have it. */
const filePath = /^(?:\.{0,2}\/)?[\w@%.()-]+(?:\/[\w@%.() -]+)*\.[a-z]\w{1,4}$/iu;

/** Keys of the settings, and fields of front matter, that name the description of an API. */
const describing = /^(?:openapi|asyncapi)$/u;

/** What the settings lead to, apart from the pages of the navigation and the redirects. */
export function referencesInSettings(
  settings: LiteralObject,
  reader: SettingsReader,
): readonly PlacedReference[] {
  const { redirects: _redirects, variables: _variables, ...others } = settings;
  const read = (key: string, value: Literal, place: Place): readonly PlacedReference[] => {
    if (typeof value === 'object' && value !== null) {
      return Object.entries(value).flatMap(([name, item]) => {
        // A description can be an object, such as `"openapi": { "source": "openapi.json" }`.
        const isSource = describing.test(key) && name === 'source';
        return read(isList(value) || isSource ? key : name, item, reader.placeOf(value, name));
      });
    }
    return typeof value === 'string' ? referencesIn(key, value, place) : [];
  };
  return Object.entries(others).flatMap(([key, value]) =>
    read(key, value, reader.placeOf(settings, key)),
  );
}

function referencesIn(key: string, target: string, place: Place): readonly PlacedReference[] {
  // The walk of the navigation reads these.
  if (key === 'pages' || key === 'root') {
    return [];
  }
  if (key === 'href') {
    return [{ kind: 'link', target, place }];
  }
  if (describing.test(key)) {
    return [{ kind: 'description', target, place }];
  }
  // The text of the banner, which stands on every page.
  const links = key === 'content' ? parsePage(target).links : [];
  if (links.length > 0) {
    return links.map(({ kind, target }) => {
      return { kind, target, place, isGuess: !target.startsWith('/') };
    });
  }
  return filePath.test(target)
    ? [{ kind: 'source', target, place, isGuess: !target.startsWith('/') }]
    : [];
}

/** What the front matter of a page leads to: files, such as an icon, and the description of an API. */
export function referencesInFields(
  fields: readonly Field[],
  file: string,
): readonly PlacedReference[] {
  return fields.flatMap(({ name, json, line }) => {
    const place = { file, line };
    const texts = /\.\w/u.test(json) ? textsIn(JSON.parse(json)) : [];
    return texts.flatMap((text): readonly PlacedReference[] => {
      // In `openapi.json GET /users`, the first word is the description.
      const [description = ''] = text.split(' ');
      if (describing.test(name)) {
        return [{ kind: 'description', target: description, place }];
      }
      return text.startsWith('/') ? referencesIn(name, text, place) : [];
    });
  });
}
