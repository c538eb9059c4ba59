/**
 * Whether the host of a parsed URL is this machine. Only there may keys be sent over plain http.
 * @param hostname as in `URL.hostname`: lower case, IPv6 in brackets, IPv4 normalised
 */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** Decodes the percent escapes in a text. A text with an invalid escape stays as it is. */
export function decoded(text: string): string {
  // Decoding takes much memory, and most paths have no escapes.
  if (!text.includes('%')) {
    return text;
  }
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
