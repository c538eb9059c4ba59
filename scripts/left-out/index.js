/**
 * Stands in for packages that others bring along for what no action here does. Overrides in package.json
 * put this in their place, each for one package alone:
 * - @actions/core requests OIDC tokens with @actions/http-client. With its undici, that client would be three
 *   quarters of what every run loads.
 * - @actions/core describes the machine with @actions/exec, which loads Node's child_process.
 * - @actions/github finds a proxy with @actions/http-client, and sends requests with the fetch of undici.
 *   Here src/github/client.ts gives it a fetch.
 */
function notHere() {
  throw new Error('This was left out: see scripts/left-out.');
}

export class HttpClient {
  // @actions/github calls these two when it is imported.
  getAgent() {}
  getAgentDispatcher() {}
}

export class BearerCredentialHandler {}

export const getExecOutput = notHere;
export const fetch = notHere;
