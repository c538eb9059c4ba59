/** What in a response tells whether the API gave it, or something in front of it. */
export interface EdgeSigns {
  /** Cloudflare's id of the request; every response that passed Cloudflare has one. */
  readonly rayId?: string;
  /** What the body is, where it is no JSON. */
  readonly body?: 'html' | 'text';
  /** Cloudflare's own error, such as `1010`, from a body that holds nothing else. */
  readonly cloudflareCode?: string;
}

/** What responded in the API's place. */
export interface Edge {
  /** Cloudflare's own error; without one it may be anything. */
  readonly cloudflareCode?: string;
  readonly isPage: boolean;
}

/**
 * Hexadecimal digits, and the airport of a data centre. It stands in logs, and whoever sends it knows
 * the key: so it is nothing else.
 */
const rayId = /^[0-9a-f]{4,40}(?:-[A-Z]{3})?$/i;

const cloudflareText = /^\s{0,9}error code: (\d{3,5})\s{0,9}$/i;

/**
 * @param ray the header `cf-ray`; empty without one
 * @param contentType the header `content-type`
 * @param text the body, where it is no JSON
 */
export function readEdgeSigns(
  ray: string,
  contentType: string | undefined,
  text: string | undefined,
): EdgeSigns {
  const [, cloudflareCode] = cloudflareText.exec(text ?? '') ?? [];
  return {
    ...(rayId.test(ray) && { rayId: ray }),
    ...(text !== undefined && { body: isHtml(contentType, text) ? 'html' : 'text' }),
    ...(cloudflareCode !== undefined && { cloudflareCode }),
  };
}

function isHtml(contentType: string | undefined, text: string): boolean {
  return /^\s*text\/html\b/i.test(contentType ?? '') || /^\s{0,99}<(?:!doctype|html)\b/i.test(text);
}

/** What common web servers send as pages of their own is no sign of anything in front of them. */
const statusesOfEdges = [401, 403, 429];

/**
 * What responded in the API's place; `undefined` where it may well have been the API.
 *
 * Cloudflare's own errors are certain, whatever the status. A page, or text that passed Cloudflare,
 * is a sign only where the API itself would have sent JSON with its reason.
 */
export function findEdge(status: number, signs: EdgeSigns): Edge | undefined {
  const { cloudflareCode, body, rayId: ray } = signs;
  const isPage = body === 'html';
  if (cloudflareCode !== undefined) {
    return { cloudflareCode, isPage };
  }
  const isForeign = isPage || (body !== undefined && ray !== undefined && status !== 401);
  return isForeign && statusesOfEdges.includes(status) ? { isPage } : undefined;
}
