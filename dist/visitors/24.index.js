export const id = 24;
export const ids = [24];
export const modules = {

/***/ 1024:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   readEventFacts: () => (/* binding */ readEventFacts)
/* harmony export */ });
/* harmony import */ var valibot__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7934);

/** A field that we can do without: of any other shape it counts as absent. */
function lenient(schema) {
    return (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .fallback */ .NpB)((0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .optional */ .lqM)(schema), undefined);
}
const threadNumber = (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .pipe */ .FsL)((0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig)(), (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .integer */ .ndf)(), (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .minValue */ .Wwf)(1));
const user = (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({ login: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP)(), type: lenient((0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP)()) });
const repository = (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({ full_name: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP)() });
const eventSchema = (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({
    sender: lenient(user),
    comment: lenient((0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({ body: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP)() })),
    issue: lenient((0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({ number: threadNumber, pull_request: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .optional */ .lqM)((0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .unknown */ .L5J)()) })),
    pull_request: lenient((0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({ number: threadNumber, head: lenient((0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({ repo: lenient(repository) })) })),
    workflow_run: lenient((0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc)({ event: (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP)(), actor: lenient(user), triggering_actor: lenient(user) })),
});
/** Reads the facts from an event's payload; `undefined` when it is no JSON object. */
function readEventFacts(payload) {
    const parsed = (0,valibot__WEBPACK_IMPORTED_MODULE_0__/* .safeParse */ .xLC)(eventSchema, payload);
    if (!parsed.success || Array.isArray(payload)) {
        return undefined;
    }
    const { sender, comment, issue, pull_request: pull, workflow_run: upstream } = parsed.output;
    return {
        sender: toUser(sender),
        commentBody: comment?.body ?? '',
        thread: pull
            ? { number: pull.number, isPullRequest: true }
            : issue && { number: issue.number, isPullRequest: issue.pull_request !== undefined },
        headRepository: pull && (pull.head?.repo?.full_name ?? ''),
        upstream: upstream && {
            eventName: upstream.event,
            actor: toUser(upstream.actor),
            triggeringActor: toUser(upstream.triggering_actor),
        },
    };
}
function toUser(fields) {
    return fields && { login: fields.login, isBot: fields.type === 'Bot' };
}


/***/ })

};
