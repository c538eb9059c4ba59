import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePage } from '../../../../src/check/docs/parse-page.ts';

const codeOf = (text: string) => parsePage(text, 'images/a.SVG').code;
const svg = (inside: string) =>
  `<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg">\n${inside}\n</svg>\n`;

describe('code in a picture', () => {
  it.each([
    ['<script>x()</script>', 'script'],
    ['<s:script xmlns:s="http://www.w3.org/2000/svg">x()</s:script>', 'script'],
    ['<title><script>x()</script></title>', 'script'],
    ['<rect onload="x()"/>', 'handler'],
    ['<a href="javascript:x()"><text>a</text></a>', 'script-url'],
    ['<a xlink:href=" java\tscript:x()"><text>a</text></a>', 'script-url'],
    ['<animate attributeName="href" to="javascript:x()"/>', 'script-url'],
    ['<foreignObject><p>a</p></foreignObject>', 'frame'],
    ['<_:script/>', 'document'],
  ])('is found: %s', (inside, kind) => {
    expect(codeOf(svg(`<g>${inside}</g>`))).toEqual([expect.objectContaining({ kind, line: 3 })]);
  });

  it.each([
    '<!DOCTYPE svg [<!ENTITY x "&#60;script>">]>\n<svg>&x;</svg>',
    '<?xml-stylesheet href="a.xsl" type="text/xsl"?>\n<svg/>',
  ])('is found in a declaration: %s', (text) => {
    expect(codeOf(text)).toEqual([expect.objectContaining({ kind: 'document', line: 1 })]);
  });

  it.each([
    '<rect width="1" style="fill: red"/><use href="#a"/><a href="/x"><text>a</text></a>',
    '<!-- <script>x()</script> -->',
    '<style>.a { fill: red }</style><image href="data:image/png;base64,AAAA"/>',
  ])('is not found: %s', (inside) => {
    expect(parsePage(svg(inside), 'a.svg')).toEqual(parsePage('', 'a.svg'));
  });

  it('is found whatever comes before', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/[<>"'&]/u.test(text)),
        (text) => {
          expect(codeOf(svg(`${text}<script/>`))).toHaveLength(1);
        },
      ),
    );
  });
});
