import { describe, expect, it } from 'vitest';
import { type Column, filterForm, listTable, pager } from '../../../../src/console/pages/parts/list-table.js';
import { when, whenOr } from '../../../../src/console/pages/parts/when.js';
import { hrefOf, ownPath } from '../../../../src/console/work/visit.js';
import { renderHtml } from '../../../../src/report/page/html.js';

describe('a time', () => {
  it('is written in UTC, for the script to show by the reader’s clock', () => {
    expect(renderHtml(when('2026-11-22T11:30:00.000Z'))).toBe(
      '<time datetime="2026-11-22T11:30:00.000Z">2026-11-22 11:30 UTC</time>',
    );
    expect(renderHtml(whenOr(null, 'never'))).toContain('never');
  });
});

describe('an address', () => {
  it('keeps what it has, and changes the named parameters', () => {
    const address = { path: '/files', query: { name: 'a&b', after: '3' } };
    expect(hrefOf(address, { after: null, sort: '-name' })).toBe('/files?name=a%26b&sort=-name');
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '',
    undefined,
    '/a\nb',
    'javascript:1',
  ])('to continue to never leads to another host: %s', (text) => {
    expect(ownPath(text)).toBe('/');
  });

  it('to continue to may be any page', () => {
    expect(ownPath('/files?sort=name')).toBe('/files?sort=name');
  });
});

describe('a list', () => {
  const columns: readonly Column<{ readonly name: string; readonly rows: number }>[] = [
    { title: 'Name', cell: ({ name }) => name },
    { title: 'Rows', isNumber: true, cell: ({ rows }) => rows },
  ];
  const rows = [
    { name: 'b<i>', rows: 1 },
    { name: 'a', rows: 2 },
  ];

  it('names the column of each cell, for a phone', () => {
    const text = renderHtml(listTable('Files', rows, columns));
    expect(text).toContain('<th scope="row">b&lt;i&gt;</th><td class="n" data-title="Rows">1</td>');
  });

  it('is narrowed by a form that keeps the rest of its address, and paged by links', () => {
    const address = { path: '/files', query: { sort: 'name', after: '9' } };
    const form = renderHtml(
      filterForm(address, [{ name: 'source', label: 'Source', choices: [{ value: 'x', label: 'X' }] }]),
    );
    expect(form).toContain('<input type="hidden" name="sort" value="name">');
    expect(form).not.toContain('after');
    expect(renderHtml(pager(address, '12'))).toContain('href="/files?sort=name&amp;after=12" rel="next"');
    expect(renderHtml(pager({ path: '/files', query: {} }, null))).toBe('');
  });
});
