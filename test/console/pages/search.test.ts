import { describe, expect, it } from 'vitest';
import { actionContext } from '../../support/action-context.js';
import { browsedLedger } from '../../support/browsed-ledger.js';
import { peopledConsole, read } from '../../support/peopled-console.js';

const OTTO = 'ottoline.bellweather@northwind.example';
const opened = async () => peopledConsole(actionContext(await browsedLedger()));
const pathOf = (q: string) => `/search?${new URLSearchParams({ q })}`;

describe('the field at the head of each page', () => {
  it('leads from a whole address to its person, whose rows show why and what can be done', async () => {
    const { as } = await opened();
    const ada = await as('operator');
    expect((await read(await ada.get('/files'))).markup).toContain('action="/search"');
    const { to } = await read(await ada.get(pathOf(`Ottoline <${OTTO.toUpperCase()}>`)));
    const person = await read(await ada.get(to ?? ''));
    expect(person.status).toBe(200);
    expect(person.text).toMatch(/2 rows: 2 need attention/);
    expect(person.text).toContain('invalid');
    expect(person.markup).toContain('<span class="wrong"><bdi>Zacharias Quimby</bdi></span>');
    const acts = [...person.markup.matchAll(/<a href="(\/(?:decide|rows)[^"]+)"/g)].map(
      ([, href = '']) => href,
    );
    expect(acts.length).toBeGreaterThan(3);
    for (const href of acts) {
      const { status } = await ada.get(href.replaceAll('&amp;', '&').replace(/#.*/, ''));
      expect([href, status]).toEqual([href, 200]);
    }
  });

  it('lists what contains a part of an address, a course, a file or a cell', async () => {
    const { as } = await opened();
    const ada = await as('operator');
    const part = await read(await ada.get(pathOf('bellweather')));
    expect(part.text).toMatch(/People ottoline\.bellweather@northwind\.example Email: 1 rejected/);
    expect(part.text).toContain('Rows without a record');
    expect(part.markup).toContain('href="/rows/1%3A4"');
    expect((await read(await ada.get(pathOf('c-9')))).text).toMatch(/Courses C-9/);
    expect((await read(await ada.get(pathOf('e-1')))).text).toContain('refused with this error id');
    expect((await read(await ada.get(pathOf('zzzz')))).text).toContain('Nothing has this text.');
    expect((await read(await ada.get('/search'))).text).toContain('Find a person by any part');
  });

  it('leads from a named row to its page, and lists everything with a given number', async () => {
    const { as } = await opened();
    const ada = await as('operator');
    for (const [text, page] of [
      ['#1', '/rows/1'],
      ['1:4', '/rows/1%3A4'],
    ] as const) {
      expect([text, (await read(await ada.get(pathOf(text)))).to]).toEqual([text, page]);
    }
    const number = await read(await ada.get(pathOf('1')));
    expect(number.markup).toMatch(/href="\/rows\/1".*href="\/runs\/1".*href="\/files\/1"/s);
  });

  it('is not available to a viewer', async () => {
    const { as } = await opened();
    const vera = await as('viewer');
    for (const path of [pathOf('#1'), pathOf(OTTO), `/learners/person?learner=${OTTO}`])
      expect((await vera.get(path)).status).toBe(403);
  });
});

it('any state means any: a learner’s accepted rows are among them', async () => {
  const { as } = await opened();
  const ada = await as('operator');
  const page = await read(await ada.get('/attention/rows?learner=l2%40northwind.example'));
  const [, all = ''] = /<option value="([^"]+)">any</.exec(page.markup) ?? [];
  expect(page.text).toContain('0 rows');
  const any = await read(await ada.get(`/attention/rows?learner=l2%40northwind.example&states=${all}`));
  expect(any.text).toContain('1 row');
  expect(any.text).toContain('accepted');
  expect(any.text).not.toContain('unknown');
});

it('buttons that can’t act on any row shown aren’t there', async () => {
  const { as } = await opened();
  const ada = await as('operator');
  const invalid = await read(await ada.get('/attention/rows?states=invalid'));
  expect(invalid.text).not.toContain('Rerun selected');
  expect(invalid.text).toContain('Dismiss selected');
  const accepted = await read(await ada.get('/attention/rows?states=accepted'));
  expect(accepted.text).not.toMatch(/Rerun|Dismiss/);
});
