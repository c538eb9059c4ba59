export const id = 196;
export const ids = [196];
export const modules = {

/***/ 9815:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  read: () => (/* binding */ read),
  readJob: () => (/* binding */ readJob),
  readRefusal: () => (/* binding */ readRefusal)
});

// EXTERNAL MODULE: ./node_modules/valibot/dist/index.mjs
var dist = __webpack_require__(7934);
// EXTERNAL MODULE: ./build/platform/identifier.js
var identifier = __webpack_require__(4235);
// EXTERNAL MODULE: ./build/text/url.js
var text_url = __webpack_require__(1691);
;// CONCATENATED MODULE: ./build/platform/pull-request-link.js

const unreadable = { kind: 'unreadable' };
/**
 * What no honest link contains, and what URL parsers read in different ways: white space, control
 * and invisible characters, quotes, angle brackets, backslashes.
 */
const suspicious = /[\s"'`<>\\\p{C}\p{Default_Ignorable_Code_Point}]/u;
const maxLength = 2000;
/**
 * Reads a `prLink` as the service sent it.
 *
 * A link is handed on only as an absolute https URL without user info (plain http for loopback
 * alone), rebuilt from its parsed parts, so that every later reader sees the URL that was checked.
 */
function readPullRequestLink(value) {
    if (value === null || value === undefined) {
        return { kind: 'none' };
    }
    if (typeof value !== 'string' || value.length > maxLength || suspicious.test(value)) {
        return unreadable;
    }
    if (!/^https?:\/\/[^/]/i.test(value) || !URL.canParse(value)) {
        return unreadable;
    }
    const url = new URL(value);
    if (!isTrustworthy(url)) {
        return unreadable;
    }
    const rebuilt = `${url.origin}${url.pathname}${url.search}${url.hash}`;
    const github = readGitHubPath(url.pathname);
    return { kind: 'link', url: rebuilt, ...(github && { github }) };
}
function isTrustworthy(url) {
    const isEncrypted = url.protocol === 'https:' || (0,text_url/* isLoopback */.U)(url.hostname);
    return isEncrypted && url.username === '' && url.password === '';
}
function readGitHubPath(path) {
    const [, repository, number] = /^\/([\w.-]+\/[\w.-]+)\/pull\/([1-9]\d{0,9})\/?$/.exec(path) ?? [];
    return repository && number ? { repository, number } : undefined;
}

;// CONCATENATED MODULE: ./build/platform/schema.js



/** A field that we can do without: anything but a text of sensible length counts as absent. */
const optionalText = (0,dist/* fallback */.NpB)((0,dist/* nullish */.cl6)((0,dist/* pipe */.FsL)((0,dist/* string */.YjP)(), (0,dist/* maxLength */.Ru6)(500))), undefined);
const optionalMoment = (0,dist/* fallback */.NpB)((0,dist/* nullish */.cl6)((0,dist/* pipe */.FsL)((0,dist/* string */.YjP)(), (0,dist/* maxLength */.Ru6)(40), (0,dist/* check */.z6Y)((text) => !Number.isNaN(Date.parse(text))))), undefined);
/** An agent job as the service's "Create agent job" and "Get agent job" answer it. */
const jobSchema = (0,dist/* object */.Ikc)({
    id: (0,dist/* pipe */.FsL)((0,dist/* string */.YjP)(), (0,dist/* check */.z6Y)(identifier/* isIdentifier */._)),
    status: (0,dist/* pipe */.FsL)((0,dist/* string */.YjP)(), (0,dist/* maxLength */.Ru6)(100)),
    source: (0,dist/* fallback */.NpB)((0,dist/* optional */.lqM)((0,dist/* object */.Ikc)({ repository: optionalText, ref: optionalText })), undefined),
    model: optionalText,
    prLink: (0,dist/* optional */.lqM)((0,dist/* unknown */.L5J)()),
    createdAt: optionalMoment,
    archivedAt: optionalMoment,
});
/** Analytics list every mistake of a request in `details`; agent jobs have no such field. */
const refusalSchema = (0,dist/* object */.Ikc)({
    error: (0,dist/* string */.YjP)(),
    details: (0,dist/* fallback */.NpB)((0,dist/* optional */.lqM)((0,dist/* array */.YOg)((0,dist/* object */.Ikc)({ message: (0,dist/* string */.YjP)() })), []), []),
});
/** Reads a job from an answer's body; `undefined` when `id` or `status` is missing or malformed. */
function readJob(body) {
    const fields = read(jobSchema, body);
    if (fields === undefined) {
        return undefined;
    }
    const status = readStatus(fields.status);
    return {
        id: fields.id,
        status: status ?? 'active',
        ...(status === undefined && { unknownStatus: fields.status }),
        pullRequest: readPullRequestLink(fields.prLink),
        repository: fields.source?.repository ?? '',
        ref: fields.source?.ref ?? '',
        model: fields.model ?? '',
        createdAt: fields.createdAt ?? '',
        archivedAt: fields.archivedAt ?? '',
    };
}
/** The service's own reason in the body of a refusal; `undefined` for anybody else's answer. */
function readRefusal(body) {
    const refusal = read(refusalSchema, body);
    if (refusal === undefined || refusal.details.length === 0) {
        return refusal?.error;
    }
    return `${refusal.error}: ${refusal.details.map(({ message }) => message).join('; ')}`;
}
function readStatus(word) {
    const statuses = ['active', 'completed', 'archived', 'failed'];
    return statuses.find((status) => status === word);
}
/** What a body holds, as a schema reads it; `undefined` where it does not fit. */
function read(schema, body) {
    const parsed = (0,dist/* safeParse */.xLC)(schema, body);
    return parsed.success ? parsed.output : undefined;
}


/***/ })

};
