export const id = 20;
export const ids = [20];
export const modules = {

/***/ 3020:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   readCommentId: () => (/* binding */ readCommentId),
/* harmony export */   readComments: () => (/* binding */ readComments),
/* harmony export */   readPermission: () => (/* binding */ readPermission),
/* harmony export */   readPull: () => (/* binding */ readPull),
/* harmony export */   readRefusal: () => (/* binding */ readRefusal),
/* harmony export */   readThrown: () => (/* binding */ readThrown),
/* harmony export */   readUser: () => (/* binding */ readUser),
/* harmony export */   readViewer: () => (/* binding */ readViewer)
/* harmony export */ });
/* harmony import */ var valibot__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7934);
/* harmony import */ var _role_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8296);


const count = (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .pipe */ .FsL)((0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig)(), (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .integer */ .ndf)(), (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .minValue */ .Wwf)(0));
const id = (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .pipe */ .FsL)((0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig)(), (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .integer */ .ndf)(), (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .minValue */ .Wwf)(1));
const refusalSchema = (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({ message: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP)() });
/** GitHub's own words in the body of a refusal; empty for anybody else's answer. */
function readRefusal(body) {
    return read(refusalSchema, body)?.message ?? '';
}
const thrownAnswerSchema = (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({ response: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({ status: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig)(), data: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .unknown */ .L5J)() }) });
const thrownFaultSchema = (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({ cause: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({ code: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP)() }) });
/** Reads what Octokit throws: an answer that is no success, or a request that came to nothing. */
function readThrown(error) {
    const answer = read(thrownAnswerSchema, error)?.response;
    if (answer !== undefined) {
        return { kind: 'answer', status: answer.status, body: answer.data };
    }
    const code = read(thrownFaultSchema, error)?.cause.code ?? '';
    return { kind: 'no-answer', code: /^\w{1,60}$/.test(code) ? code : '' };
}
const permissionSchema = (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({
    permission: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP)(),
    role_name: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .fallback */ .NpB)((0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .optional */ .lqM)((0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP)()), undefined),
    user: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .fallback */ .NpB)((0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .optional */ .lqM)((0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({ login: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP)(), type: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .fallback */ .NpB)((0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .optional */ .lqM)((0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP)()), undefined) })), undefined),
});
/** Reads "Get repository permissions for a user"; `undefined` when it makes no sense for `login`. */
function readPermission(body, login) {
    const answer = read(permissionSchema, body);
    const role = findRole(answer?.role_name) ?? findRole(answer?.permission);
    const isAboutLogin = (answer?.user?.login ?? login).toLowerCase() === login.toLowerCase();
    return role !== undefined && isAboutLogin
        ? { role, isBot: answer?.user?.type === 'Bot' }
        : undefined;
}
/** A role of an organisation's own making has no place in the order of roles. */
function findRole(word) {
    return _role_js__WEBPACK_IMPORTED_MODULE_1__/* .roles */ .O.find((role) => role === word);
}
const viewerSchema = (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({ data: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({ viewer: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({ login: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP)() }) }) });
const userSchema = (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({ login: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP)() });
/** Reads GraphQL's `viewer { login }`. */
function readViewer(body) {
    return read(viewerSchema, body)?.data.viewer.login;
}
/** Reads "Get the authenticated user". */
function readUser(body) {
    return read(userSchema, body)?.login;
}
const createdSchema = (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({ id });
const commentsSchema = (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg)((0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({
    id,
    user: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .fallback */ .NpB)((0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .nullable */ .mee)(userSchema), null),
    body: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .fallback */ .NpB)((0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP)(), ''),
}));
/** Reads one page of "List issue comments". */
function readComments(body) {
    return read(commentsSchema, body)?.map((comment) => ({
        id: comment.id,
        author: comment.user?.login ?? '',
        body: comment.body,
    }));
}
/** Reads the id of a comment that was created or updated. */
function readCommentId(body) {
    return read(createdSchema, body)?.id;
}
const pullSchema = (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({
    title: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP)(),
    head: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({ ref: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP)(), sha: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP)() }),
    base: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({ ref: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP)() }),
    changed_files: count,
    additions: count,
    deletions: count,
});
/** Reads "Get a pull request". */
function readPull(body) {
    const pull = read(pullSchema, body);
    return (pull && {
        title: pull.title,
        branch: pull.head.ref,
        base: pull.base.ref,
        headSha: pull.head.sha,
        changedFiles: pull.changed_files,
        additions: pull.additions,
        deletions: pull.deletions,
    });
}
function read(schema, body) {
    const parsed = (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .safeParse */ .xLC)(schema, body);
    return parsed.success ? parsed.output : undefined;
}


/***/ })

};
