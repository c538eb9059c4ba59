// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pages have templates of their own
import { describe, expect, it } from 'vitest';
import { parsePage } from '../../../../src/check/docs/parse-page.ts';

const links = (text: string) => parsePage(text, 'a.mdx').links;

describe('addresses in Markdown', () => {
  it('are found with their lines', () => {
    const text = `---
title: Roses
---

[a](/a "t") and [b][b] and ![c](/c.png)
<https://x.example> https://y.example/z www.z.example me@x.example

- > [d](d#e)

[b]: ../b
`.replace('<https://x.example> ', '');
    expect(links(text)).toEqual([
      { target: '/a', kind: 'link', line: 5 },
      { target: '/c.png', kind: 'image', line: 5 },
      { target: 'https://y.example/z', kind: 'link', line: 6 },
      { target: 'http://www.z.example', kind: 'link', line: 6 },
      { target: 'd#e', kind: 'link', line: 8 },
      { target: '../b', kind: 'link', line: 10 },
    ]);
  });

  it('are not those in code', () => {
    expect(links('`[a](/a)`\n\n```\n[b](/b)\n```\n\n{/* [c](/c) */}')).toEqual([]);
  });
});

describe('addresses in elements', () => {
  it.each([
    ['<a href="/x">x</a>', '/x', 'link'],
    ["<a href={'/x'}>x</a>", '/x', 'link'],
    ['<a href={`/x`}>x</a>', '/x', 'link'],
    ['<a href={"/" + "x"}>x</a>', '/x', 'link'],
    ['<Card href="x" title="T" />', 'x', 'link'],
    ['<Card img="/x.png" />', '/x.png', 'image'],
    ['<Card icon="/x.svg" />', '/x.svg', 'image'],
    ['<img src="/x.png" />', '/x.png', 'image'],
    ['<img src="x" />', 'x', 'image'],
    ['<Picture src="x.png" />', 'x.png', 'image'],
    ['<Filter href="/x" />', '/x', 'link'],
    ['<img srcSet="/x.png" />', '/x.png', 'image'],
    ['<Frame><img src="/x.webp" alt="a" /></Frame>', '/x.webp', 'image'],
    ['<iframe src="https://x.example/v" />', 'https://x.example/v', 'embed'],
    ['<video src="/x.mp4" />', '/x.mp4', 'embed'],
    ['<video poster="/x.png" />', '/x.png', 'image'],
    ['<video><source src="/x.webm" /></video>', '/x.webm', 'embed'],
    ['<Player url="https://x.example" />', 'https://x.example', 'link'],
    ['<Card icon={<img src="/x.png" />} />', '/x.png', 'image'],
    ['{open && <a href="/x">x</a>}', '/x', 'link'],
    ["<Cards cards={[{ title: 'X', href: '/x' }]} />", '/x', 'link'],
    ['export const more = [{ href: "/x" }]', '/x', 'link'],
    ['export const X = () => <a href="/x">x</a>', '/x', 'link'],
  ])('%s', (text, target, kind) => {
    expect(links(`\n\n${text}\n`)).toEqual([{ target, kind, line: 3 }]);
  });

  it('are put together from the page’s own constants', () => {
    const text = 'export const base = "https://x.example"\n\n<a href={`${base}/y`}>y</a>';
    expect(links(text)).toEqual([
      { target: 'https://x.example/y', kind: 'link', line: 3 },
      { target: 'https://x.example', kind: 'link', line: 1 },
    ]);
  });

  it.each([
    ['<a href={props.a ? "https://x.example" : ""}>x</a>', 'https://x.example'],
    ['<a href={props.a ? "/b" : "/c"}>x</a>', '/b'],
    ['<a href={["https://x.example"][0]}>x</a>', 'https://x.example'],
    ['<a href={`https://x.example/${props.a}`}>x</a>', 'https://x.example/'],
    ['export const x = { a: "https://x.example/y" }', 'https://x.example/y'],
    ['export const [x] = ["https://x.example/y"]', 'https://x.example/y'],
    ['export const x = "//x.example"', '//x.example'],
    ['{"https:" + "//x.example"}', 'https://x.example'],
    ['<Card dest="https://x.example">x</Card>', 'https://x.example'],
    ['<Hero art="/a.png" />', '/a.png'],
    ['<a href="https:\\\\x.example/y">x</a>', 'https:\\\\x.example/y'],
    ['<Card dest="https:/&#9;/x.example">x</Card>', 'https:/\t/x.example'],
    ['<Card dest="/\\x.example">x</Card>', '/\\x.example'],
    ['<svg><a xlinkHref="https://x.example">x</a></svg>', 'https://x.example'],
    ['<svg><use href="https://x.example/a.svg#b" /></svg>', 'https://x.example/a.svg#b'],
    ['<a ping="/a https://x.example">x</a>', 'https://x.example'],
    ['<img srcSet="/a.png 1x,https://x.example/b.png 2x" />', 'https://x.example/b.png'],
    [
      '<img srcSet="https://x.example/w_1,h_2/a.png, /b.png 2x" />',
      'https://x.example/w_1,h_2/a.png',
    ],
    ['<div style={{ background: "url(https://x.example/a.png)" }} />', 'https://x.example/a.png'],
    ['<div style="background: URL( \'/a.png\' )" />', '/a.png'],
    ['<style>{`@import "//x.example/a.css";`}</style>', '//x.example/a.css'],
    ['&#104;ttps://x.example/y.', 'https://x.example/y'],
    ['https\\://x.example/y', 'https://x.example/y'],
    ['www&#46;x.example', 'http://www.x.example'],
  ])('are found wherever they stand: %s', (text, target) => {
    expect(links(text).map((link) => link.target)).toContain(target);
  });

  it('are those that are shown of a link, if it leads there', () => {
    expect(links('[https://x.example](https://y.example)')).toHaveLength(1);
  });

  it.each([
    '<Card icon="rocket" title="/not" />',
    '<ParamField path="url" />',
    '<a href={target}>x</a>',
    '<a href="">x</a>',
    '<Card url="soon" />',
    '<Card title="Note: a/b" tag="and/or" path="/v1/users" />',
    '{"a // b"} {"Read /a"}',
    '<svg xmlns="http://www.w3.org/2000/svg"><g clipPath="url(#a)" /></svg>',
    '<img src={`/images/${props.a}.png`} />',
    '{"https://"} {"//"}',
    '{<svg xmlns="http://www.w3.org/2000/svg" />}',
    '<svg><use href="#star" /></svg>',
    '<svg><use xlinkHref="/icons.svg#star" /></svg>',
    '<Picture src="docs-agent" />',
    "<Gallery items={[{ src: 'docs-agent' }]} />",
  ])('are not: %s', (text) => {
    expect(links(text)).toEqual([]);
  });

  it('have the line of the attribute', () => {
    expect(links('<Card\n  title="a"\n  href="/x"\n>\n  b\n</Card>')).toMatchObject([{ line: 3 }]);
  });
});

describe('imports', () => {
  const imports = (text: string) => parsePage(text, 'a.mdx').imports;

  it('are found with their lines', () => {
    const text =
      'import A from "/snippets/a.mdx"\nimport { b } from "./b.jsx"\n\n# T\n\nexport { c } from "../c.mdx"\n';
    expect(imports(text)).toEqual([
      { source: '/snippets/a.mdx', line: 1 },
      { source: './b.jsx', line: 2 },
      { source: '../c.mdx', line: 6 },
    ]);
  });

  it('may have the older form', () => {
    expect(imports('\n<Snippet file="a.mdx" />')).toEqual([{ source: '/snippets/a.mdx', line: 2 }]);
  });
});
