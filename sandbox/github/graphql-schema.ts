import { buildSchema } from 'graphql';

const page = 'after: String, before: String, first: Int, last: Int';

/** A list, as GraphQL pages it. Here the first page has everything. */
function connections(...types: readonly string[]): string {
  return types
    .map(
      (type) => `type ${type}Connection { nodes: [${type}] pageInfo: PageInfo! totalCount: Int! }`,
    )
    .join('\n');
}

/** An input of a mutation, whose fields have types such as `ID!` by name. */
const payload = 'clientMutationId: String';

/**
 * The part of GitHub's GraphQL schema that the actions and the usual commands of `gh pr` use: names, arguments
 * and nullability are those of GitHub, so that a query that fails there fails here. `gh` asks which fields a
 * type has, and does without those that are missing.
 */
export const githubSchema = buildSchema(`
  scalar DateTime
  scalar GitObjectID
  scalar URI

  type Query {
    organization(login: String!): Organization
    repository(followRenames: Boolean = true, name: String!, owner: String!): Repository
    viewer: User!
  }

  type PageInfo { endCursor: String hasNextPage: Boolean! }
  interface Actor { login: String! }
  type User implements Actor { id: ID! login: String! name: String }
  type Bot implements Actor { id: ID! login: String! }
  type Organization implements Actor { id: ID! login: String! name: String teams(${page}): TeamConnection! }
  type Team { id: ID! name: String! organization: Organization! slug: String! }
  union RequestedReviewer = Bot | Team | User
  type ReviewRequest { requestedReviewer: RequestedReviewer }
  type Label { color: String! description: String id: ID! name: String! }
  type Milestone { description: String dueOn: DateTime id: ID! number: Int! title: String! }
  type Project { id: ID! name: String! }
  type ProjectColumn { name: String! }
  type ProjectCard { column: ProjectColumn project: Project! }
  type ProjectV2 { id: ID! title: String! }
  type ProjectV2Item { id: ID! project: ProjectV2! }
  type IssueComment { author: Actor body: String! id: ID! url: URI! }
  type PullRequestReview { author: Actor id: ID! state: String! }
  type PullRequestChangedFile { additions: Int! changeType: String! deletions: Int! path: String! }
  type PullRequestCommit { commit: Commit! }
  type AutoMergeRequest { mergeMethod: String! }
  type Ref { name: String! }
  ${connections('IssueComment', 'Label', 'Milestone', 'Project', 'ProjectCard', 'ProjectV2Item')}
  ${connections('PullRequestChangedFile', 'PullRequestCommit', 'PullRequestReview', 'ReviewRequest')}
  ${connections('PullRequest', 'Team', 'User')}

  type Repository {
    assignableUsers(${page}, query: String): UserConnection!
    defaultBranchRef: Ref
    description: String
    hasIssuesEnabled: Boolean!
    hasWikiEnabled: Boolean!
    id: ID!
    isPrivate: Boolean!
    issue(number: Int!): Issue
    issueOrPullRequest(number: Int!): IssueOrPullRequest
    labels(${page}): LabelConnection
    mergeCommitAllowed: Boolean!
    name: String!
    nameWithOwner: String!
    object(expression: String, oid: GitObjectID): GitObject
    owner: Organization!
    parent: Repository
    pullRequest(number: Int!): PullRequest
    pullRequests(${page}, headRefName: String, states: [PullRequestState!], orderBy: IssueOrder): PullRequestConnection!
    rebaseMergeAllowed: Boolean!
    squashMergeAllowed: Boolean!
    url: URI!
    viewerPermission: String
  }

  enum PullRequestState { CLOSED MERGED OPEN }
  enum PullRequestMergeMethod { MERGE REBASE SQUASH }
  input IssueOrder { direction: OrderDirection! field: IssueOrderField! }
  enum OrderDirection { ASC DESC }
  enum IssueOrderField { COMMENTS CREATED_AT UPDATED_AT }

  union IssueOrPullRequest = Issue | PullRequest

  type Issue {
    author: Actor
    body: String!
    comments(${page}): IssueCommentConnection!
    id: ID!
    labels(${page}): LabelConnection
    number: Int!
    state: String!
    title: String!
    url: URI!
  }

  type PullRequest {
    additions: Int!
    assignees(${page}): UserConnection!
    author: Actor
    autoMergeRequest: AutoMergeRequest
    baseRefName: String!
    baseRefOid: GitObjectID!
    body: String!
    changedFiles: Int!
    closed: Boolean!
    closedAt: DateTime
    comments(${page}): IssueCommentConnection!
    commits(${page}): PullRequestCommitConnection!
    createdAt: DateTime!
    deletions: Int!
    files(${page}): PullRequestChangedFileConnection
    headRefName: String!
    headRefOid: GitObjectID!
    headRepository: Repository
    headRepositoryOwner: Organization
    id: ID!
    isCrossRepository: Boolean!
    isDraft: Boolean!
    isInMergeQueue: Boolean!
    isMergeQueueEnabled: Boolean!
    labels(${page}): LabelConnection
    mergeCommit: Commit
    mergeStateStatus: String!
    mergeable: String!
    mergedAt: DateTime
    mergedBy: Actor
    milestone: Milestone
    number: Int!
    projectCards(${page}): ProjectCardConnection!
    projectItems(${page}): ProjectV2ItemConnection!
    reviewDecision: String
    reviewRequests(${page}): ReviewRequestConnection
    reviews(${page}): PullRequestReviewConnection
    state: PullRequestState!
    title: String!
    updatedAt: DateTime!
    url: URI!
  }

  interface GitObject { oid: GitObjectID! }
  type Blob implements GitObject {
    byteSize: Int!
    isBinary: Boolean
    isTruncated: Boolean!
    oid: GitObjectID!
    text: String
  }
  type Commit implements GitObject { oid: GitObjectID! }
  type Tree implements GitObject { oid: GitObjectID! }

  type Mutation {
    addComment(input: AddCommentInput!): AddCommentPayload
    addLabelsToLabelable(input: LabelsInput!): MutationPayload
    addPullRequestReview(input: AddPullRequestReviewInput!): PullRequestPayload
    closePullRequest(input: PullRequestInput!): PullRequestPayload
    disablePullRequestAutoMerge(input: PullRequestInput!): PullRequestPayload
    enablePullRequestAutoMerge(input: MergePullRequestInput!): PullRequestPayload
    mergePullRequest(input: MergePullRequestInput!): PullRequestPayload
    removeLabelsFromLabelable(input: LabelsInput!): MutationPayload
    reopenPullRequest(input: PullRequestInput!): PullRequestPayload
    requestReviews(input: RequestReviewsInput!): PullRequestPayload
    updatePullRequest(input: UpdatePullRequestInput!): PullRequestPayload
  }
  type MutationPayload { ${payload} }
  type PullRequestPayload { ${payload} pullRequest: PullRequest }
  type IssueCommentEdge { node: IssueComment }
  type AddCommentPayload { ${payload} commentEdge: IssueCommentEdge }
  input AddCommentInput { ${payload} body: String! subjectId: ID! }
  input AddPullRequestReviewInput { ${payload} body: String event: String pullRequestId: ID! }
  input LabelsInput { ${payload} labelIds: [ID!]! labelableId: ID! }
  input PullRequestInput { ${payload} pullRequestId: ID! }
  input MergePullRequestInput {
    ${payload}
    authorEmail: String
    commitBody: String
    commitHeadline: String
    expectedHeadOid: GitObjectID
    mergeMethod: PullRequestMergeMethod = MERGE
    pullRequestId: ID!
  }
  input RequestReviewsInput { ${payload} pullRequestId: ID! teamIds: [ID!] union: Boolean userIds: [ID!] }
  input UpdatePullRequestInput {
    ${payload}
    assigneeIds: [ID!]
    baseRefName: String
    body: String
    labelIds: [ID!]
    milestoneId: ID
    projectIds: [ID!]
    pullRequestId: ID!
    title: String
  }
`);
