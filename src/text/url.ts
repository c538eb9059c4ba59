/**
 * Whether a parsed URL's host is this machine. Only there may a key travel in plain http.
 * @param hostname as `URL.hostname` gives it: lower case, IPv6 in brackets, IPv4 normalised.
 */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
