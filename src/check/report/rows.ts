import type { Finding } from '../finding.ts';
import type { Judgement } from '../judgement.ts';

/** A finding as the summary, the comment, the annotations and the outputs show it. */
export interface Row extends Finding {
  /** Of the first place, in the last 30 days; `undefined` if that is not known. */
  readonly visitors: number | undefined;
}

/** The findings in the order in which they matter: what blocks first, then by the readers of the page. */
export function rowsOf({ findings, pages }: Pick<Judgement, 'findings' | 'pages'>): readonly Row[] {
  const visitors = new Map(pages.map((page) => [page.path, page.visitors]));
  return findings
    .map((finding) => ({ ...finding, visitors: visitors.get(finding.places[0].file) }))
    .sort(
      (one, other) =>
        Number(other.severity === 'block') - Number(one.severity === 'block') ||
        (other.visitors ?? -1) - (one.visitors ?? -1),
    );
}
