/**
 * Stands in for the HTTP client that @actions/core brings along for OIDC tokens, which this action never
 * requests. With its undici, that client would be three quarters of what every run loads. An override
 * in package.json puts this in its place, for @actions/core alone.
 */
export class HttpClient {
  constructor() {
    throw new Error('This action requests no OIDC tokens.');
  }
}

export class BearerCredentialHandler {}
