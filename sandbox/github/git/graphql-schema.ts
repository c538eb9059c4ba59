import { buildSchema } from 'graphql';

/**
 * The part of GitHub's GraphQL schema that reads git objects: names, arguments and nullability are
 * those of GitHub, so that a query that fails there fails here.
 */
export const githubSchema = buildSchema(`
  scalar Base64String
  scalar DateTime
  scalar GitObjectID
  scalar GitTimestamp
  scalar URI

  type Query {
    rateLimit(dryRun: Boolean = false): RateLimit
    repository(followRenames: Boolean = true, name: String!, owner: String!): Repository
    viewer: User!
  }

  type RateLimit {
    cost: Int!
    limit: Int!
    nodeCount: Int!
    remaining: Int!
    resetAt: DateTime!
    used: Int!
  }

  interface Node {
    id: ID!
  }

  type User implements Node {
    id: ID!
    login: String!
  }

  type Repository implements Node {
    defaultBranchRef: Ref
    id: ID!
    isPrivate: Boolean!
    name: String!
    nameWithOwner: String!
    object(expression: String, oid: GitObjectID): GitObject
    ref(qualifiedName: String!): Ref
  }

  type Ref implements Node {
    id: ID!
    name: String!
    prefix: String!
    target: GitObject
  }

  interface GitObject {
    abbreviatedOid: String!
    id: ID!
    oid: GitObjectID!
    repository: Repository!
  }

  type Blob implements GitObject & Node {
    abbreviatedOid: String!
    byteSize: Int!
    id: ID!
    isBinary: Boolean
    isTruncated: Boolean!
    oid: GitObjectID!
    repository: Repository!
    text: String
  }

  type Tree implements GitObject & Node {
    abbreviatedOid: String!
    entries: [TreeEntry!]
    id: ID!
    oid: GitObjectID!
    repository: Repository!
  }

  type TreeEntry {
    extension: String
    mode: Int!
    name: String!
    nameRaw: Base64String!
    object: GitObject
    oid: GitObjectID!
    path: String
    pathRaw: Base64String
    repository: Repository!
    size: Int!
    type: String!
  }

  type Commit implements GitObject & Node {
    abbreviatedOid: String!
    author: GitActor
    authoredDate: DateTime!
    committedDate: DateTime!
    file(path: String!): TreeEntry
    history(
      after: String
      before: String
      first: Int
      last: Int
      path: String
      since: GitTimestamp
      until: GitTimestamp
    ): CommitHistoryConnection!
    id: ID!
    message: String!
    messageBody: String!
    messageHeadline: String!
    oid: GitObjectID!
    parents(after: String, before: String, first: Int, last: Int): CommitConnection!
    repository: Repository!
    tree: Tree!
  }

  type GitActor {
    date: GitTimestamp
    email: String
    name: String
    user: User
  }

  type CommitConnection {
    edges: [CommitEdge]
    nodes: [Commit]
    pageInfo: PageInfo!
    totalCount: Int!
  }

  type CommitHistoryConnection {
    edges: [CommitEdge]
    nodes: [Commit]
    pageInfo: PageInfo!
    totalCount: Int!
  }

  type CommitEdge {
    cursor: String!
    node: Commit
  }

  type PageInfo {
    endCursor: String
    hasNextPage: Boolean!
    hasPreviousPage: Boolean!
    startCursor: String
  }
`);
