export const id = 411;
export const ids = [411];
export const modules = {

/***/ 8411:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   readVariables: () => (/* binding */ readVariables)
/* harmony export */ });
/* harmony import */ var yaml__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8815);
/* harmony import */ var _runner_errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6800);
/* harmony import */ var _text_plain_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4854);
/* harmony import */ var _placeholders_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2738);




/**
 * Reads the input `variables`: a YAML mapping of names to values.
 *
 * Scalars are kept exactly as written, so that `1.10` stays `1.10`; lists and mappings become
 * compact JSON. Anchors and aliases are refused: a few lines of them can grow to gigabytes.
 *
 * @throws InputError when the text is no such mapping
 */
function readVariables(text) {
    const document = (0,yaml__WEBPACK_IMPORTED_MODULE_0__/* .parseDocument */ .Tp)(text, { strict: true, uniqueKeys: true });
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) {
        const line = problem.linePos?.[0].line ?? 1;
        throw new _runner_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .InputError */ .dz('variables', `cannot be read as YAML (line ${line})`, example);
    }
    if (document.contents === null) {
        return new Map();
    }
    (0,yaml__WEBPACK_IMPORTED_MODULE_0__/* .visit */ .YR)(document, { Alias: refuseAliases, Node: (_key, node) => refuseAnchors(node) });
    if (!(0,yaml__WEBPACK_IMPORTED_MODULE_0__/* .isMap */ .jh)(document.contents)) {
        throw new _runner_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .InputError */ .dz('variables', 'is not a YAML mapping', example);
    }
    return new Map(document.contents.items.map((pair) => readPair(pair.key, pair.value)));
}
const example = 'write one "name: value" a line';
function refuseAliases() {
    throw new _runner_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .InputError */ .dz('variables', 'uses a YAML alias', 'write the value out');
}
function refuseAnchors(node) {
    if ('anchor' in node && node.anchor !== undefined) {
        throw new _runner_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .InputError */ .dz('variables', 'uses a YAML anchor', 'write the value out');
    }
}
function readPair(key, value) {
    const name = (0,yaml__WEBPACK_IMPORTED_MODULE_0__/* .isScalar */ .jn)(key) ? asWritten(key) : '';
    if (_placeholders_js__WEBPACK_IMPORTED_MODULE_2__/* .reservedNames */ .hD.includes(name)) {
        throw new _runner_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .InputError */ .dz('variables', `has the name ${(0,_text_plain_js__WEBPACK_IMPORTED_MODULE_3__/* .quoted */ .TL)(name)}, which is reserved`, 'choose another name');
    }
    if (!(0,_placeholders_js__WEBPACK_IMPORTED_MODULE_2__/* .isVariableName */ .KL)(name)) {
        throw new _runner_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .InputError */ .dz('variables', `has the name ${(0,_text_plain_js__WEBPACK_IMPORTED_MODULE_3__/* .quoted */ .TL)(name)}`, 'a name begins with a letter or "_" and goes on with letters, digits, "-" and "_"');
    }
    return [name, (0,yaml__WEBPACK_IMPORTED_MODULE_0__/* .isScalar */ .jn)(value) ? asWritten(value) : toJson(value)];
}
/** A plain scalar's own spelling; what quotes or block marks enclose otherwise. */
function asWritten(scalar) {
    return scalar.type === 'PLAIN' ? (scalar.source ?? '') : String(scalar.value ?? '');
}
/** Compact JSON that keeps numbers as they were written, where JSON has that spelling too. */
function toJson(node) {
    if ((0,yaml__WEBPACK_IMPORTED_MODULE_0__/* .isMap */ .jh)(node)) {
        const fields = node.items.map(({ key, value }) => {
            const name = (0,yaml__WEBPACK_IMPORTED_MODULE_0__/* .isScalar */ .jn)(key) ? asWritten(key) : toJson(key);
            return `${JSON.stringify(name)}:${toJson(value)}`;
        });
        return `{${fields.join(',')}}`;
    }
    if ((0,yaml__WEBPACK_IMPORTED_MODULE_0__/* .isSeq */ .oP)(node)) {
        return `[${node.items.map(toJson).join(',')}]`;
    }
    return (0,yaml__WEBPACK_IMPORTED_MODULE_0__/* .isScalar */ .jn)(node) ? scalarToJson(node) : 'null';
}
function scalarToJson(scalar) {
    const written = scalar.source ?? '';
    const isJsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(written);
    return typeof scalar.value === 'number' && isJsonNumber
        ? written
        : JSON.stringify(scalar.value ?? null);
}


/***/ })

};
