import { buildSchema } from 'graphql';

/**
 * The part of GitHub's GraphQL schema that the actions use: names, arguments and nullability are those
 * of GitHub, so that a query that fails there fails here.
 */
export const githubSchema = buildSchema(`
  scalar GitObjectID

  type Query {
    repository(followRenames: Boolean = true, name: String!, owner: String!): Repository
    viewer: User!
  }

  type User {
    id: ID!
    login: String!
  }

  type Repository {
    id: ID!
    object(expression: String, oid: GitObjectID): GitObject
  }

  interface GitObject {
    oid: GitObjectID!
  }

  type Blob implements GitObject {
    byteSize: Int!
    isBinary: Boolean
    isTruncated: Boolean!
    oid: GitObjectID!
    text: String
  }

  type Commit implements GitObject {
    oid: GitObjectID!
  }

  type Tree implements GitObject {
    oid: GitObjectID!
  }
`);
