import { describe, expect, it } from 'vitest';
import { html, renderHtml, trustedHtml } from '../../../src/report/page/html.js';

describe('a template', () => {
  it.each<[string, string, string]>([
    ['markup', '<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    [
      'the end of an attribute',
      '"><img src=x onerror=alert(1)>',
      '&quot;&gt;&lt;img src=x onerror=alert(1)&gt;',
    ],
    ['the end of an attribute in single quotes', "' onclick='x", '&#39; onclick=&#39;x'],
    ['the end of a style', '</style><b>', '&lt;/style&gt;&lt;b&gt;'],
    ['the end of CDATA', ']]>', ']]&gt;'],
    ['an entity', '&lt;b&gt;', '&amp;lt;b&amp;gt;'],
    ['a comment', '<!-- -->', '&lt;!-- --&gt;'],
    ['a character that turns the line around', 'a\u202egpj.exe', 'a\\u202egpj.exe'],
    ['a line end', 'a\nb', 'a\\nb'],
  ])('escapes %s', (_, value, escaped) => {
    expect(renderHtml(html`<td title="${value}">${value}</td>`)).toBe(
      `<td title="${escaped}">${escaped}</td>`,
    );
  });

  it('takes markup, lists and numbers as they are, and null as nothing', () => {
    const list = ['<', 1].map((value) => html`<li>${value}</li>`);
    expect(renderHtml(html`<ul>${list}</ul>${null}${trustedHtml('<hr>')}`)).toBe(
      '<ul><li>&lt;</li><li>1</li></ul><hr>',
    );
  });

  it('takes no data for markup, whatever its shape', () => {
    const data = JSON.parse('{"markup":"<b>","Symbol(markup)":"<b>"}') as string;
    expect(() => renderHtml(html`${data}`)).toThrow();
  });
});
