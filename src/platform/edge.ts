/** Hints whether a response came from the API, or from something in front of it. */
export interface EdgeSigns {
  /** Cloudflare's id of the request; every response that passes through Cloudflare has one. */
  readonly rayId?: string;
  /** The kind of body, if it is not JSON. */
  readonly body?: 'html' | 'text';
  /** The code of Cloudflare's own error, such as `1010`, if the body contains only that. */
  readonly cloudflareCode?: string;
}

/** What responded instead of the API. */
export interface Edge {
  /** The code of Cloudflare's own error, if it was Cloudflare. */
  readonly cloudflareCode?: string;
  readonly isPage: boolean;
}

/**
 * Hexadecimal digits and the airport code of a data centre. Any other text is ignored, because the id is
 * logged, and a server that received the key could send it back here.
 */
const rayId = /^[0-9a-f]{4,40}(?:-[A-Z]{3})?$/i;

const cloudflareText = /^\s{0,9}error code: (\d{3,5})\s{0,9}$/i;

/**
 * @param ray the header `cf-ray`; may be empty
 * @param contentType the header `content-type`
 * @param text the body, if it is not JSON
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

/** With any other status, such as 502, a web page can come from the API's own web server. */
const statusesOfEdges = [401, 403, 429];

/**
 * Finds out what responded instead of the API; `undefined` if it was probably the API.
 *
 * Cloudflare's own errors are certain, with any status. A web page, or text that came through
 * Cloudflare, is a hint only for statuses where the API would have sent JSON with a reason.
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
