import { beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../../../src/ledger/store/query.js';
import { stageContent } from '../../../staging/staging-bench.js';
import { actionContext } from '../../../support/action-context.js';
import { browsedLedger, PERSONAL } from '../../../support/browsed-ledger.js';
import { peopledConsole, read } from '../../../support/peopled-console.js';
import { testLedger } from '../../../support/staged-ledger.js';

let ledger: Ledger;
beforeEach(async () => {
  ledger = await browsedLedger();
});

const opened = (of = ledger) => peopledConsole(actionContext(of));

describe('the causes', () => {
  it('are listed with their counts, words and actions, which lead to their plans', async () => {
    const { as } = await opened();
    const ada = await as('operator');
    const page = await read(await ada.get('/attention'));
    expect(page.status).toBe(200);
    expect(page.markup).toContain('href="/attention/rows?states=rejected&amp;cause=bad-request"');
    expect(page.text).toContain('The platform does not know the learner.');
    expect(page.markup).toContain('href="/learners">Map learners');
    const plans = [...page.markup.matchAll(/href="(\/decide\/[^"]+)"/g)].map(([, href = '']) => href);
    expect(plans.length).toBeGreaterThan(2);
    for (const href of plans) {
      const { status } = await ada.get(href.replaceAll('&amp;', '&'));
      expect([href, status]).toEqual([href, 200]);
    }
  });

  it('are narrowed to those of a person', async () => {
    const { as } = await opened();
    const ada = await as('operator');
    const causesOf = async (search: string) =>
      [
        ...(await read(await ada.get(`/attention${search}`))).markup.matchAll(
          /rows\?[^"]*cause=([\w-]+|HTTP\+503)"/g,
        ),
      ].map(([, code]) => code);
    expect(await causesOf('?assigned=unassigned')).toEqual(await causesOf(''));
    const none = await read(await ada.get('/attention?assigned=zoe'));
    expect(none.text).toContain('No cause matches.');
  });

  it('offer no action to a role that can’t decide', async () => {
    const { as } = await opened();
    for (const role of ['viewer', 'auditor'] as const) {
      const page = await read(await (await as(role)).get('/attention'));
      expect(page.text).toContain('The platform does not know the learner.');
      expect(page.markup).not.toContain('/decide/');
    }
  });

  it('name refused files, whose reasons a viewer sees masked', async () => {
    await stageContent(ledger, 'Ottoline Bellweather,zq@northwind.example\n1,2\n');
    const { as } = await opened();
    const own = await read(await (await as('operator')).get('/attention'));
    expect(own.text).toContain('1 refused file');
    expect(own.text).toContain('None of the first');
    expect(own.markup).toContain('href="/decide/dismiss?drop=3"');
    const masked = await read(await (await as('viewer')).get('/attention'));
    expect(masked.text).toContain('1 refused file');
    expect(personalIn(masked.markup)).toEqual([]);
  });

  it('where there are none say what to do next', async () => {
    const { as } = await opened(testLedger());
    const page = await read(await (await as('operator')).get('/attention'));
    expect(page.text).toContain('No rows need attention. Files shows the state of every row.');
  });
});

describe('the rows of a cause', () => {
  const ROWS = '/attention/rows?states=rejected&cause=bad-request';

  it('are shown as the file has them, as they were read, and with the platform’s words', async () => {
    const { as } = await opened();
    const page = await read(await (await as('operator')).get(ROWS));
    expect(page.text).toContain('rejected rows with the cause bad-request');
    expect(page.text).toContain('Ottoline.Bellweather@northwind.example');
    expect(page.text).toContain('ottoline.bellweather@northwind.example');
    expect(page.text).toContain('Refused: ottoline.bellweather@northwind.example');
    expect(page.markup).toContain('href="/rows/1"');
    expect(page.markup).toContain('<input type="checkbox" name="rows" value="1"');
    expect(Buffer.byteLength(page.markup)).toBeLessThan(100_000);
  });

  it('are chosen one by one, a page at a time without script, or all at once', async () => {
    const { as } = await opened();
    const ada = await as('operator');
    const page = await read(await ada.get(ROWS));
    expect(page.markup).not.toContain(' checked');
    const all = /href="(\/decide\/dismiss\?[^"]+)">Dismiss all (\d+)/.exec(page.markup);
    const plan = await read(await ada.get((all?.[1] ?? '').replaceAll('&amp;', '&')));
    expect(plan.text).toContain(`${all?.[2]} rows`);
    const ticked = await read(await ada.get(`${ROWS}&chosen=page`));
    const names = [...ticked.markup.matchAll(/name="rows" value="([^"]+)" aria-label="[^"]*" checked/g)].map(
      ([, name = '']) => name,
    );
    expect(names).toHaveLength(Number(all?.[2]));
    const chosen = new URLSearchParams(names.slice(0, 2).map((name): [string, string] => ['rows', name]));
    expect((await read(await ada.get(`/decide/rerun?${chosen}`))).text).toContain('2 rows, 2 requests');
  });

  it('of all causes are offered to each decision that can handle them', async () => {
    const { as } = await opened();
    const page = await read(await (await as('operator')).get('/attention/rows'));
    expect(page.text).toMatch(/Rerun all that are rejected, failed, in-doubt, held/);
    expect(page.text).toMatch(/Dismiss all \d+/);
    expect(page.markup).toMatch(/name="rows" value="1:4"/);
  });

  it('are paged, reversed, searched and narrowed by the address', async () => {
    await stageContent(
      ledger,
      fileOf(Array.from({ length: 70 }, (_, n) => `l${n}@else.example,C-1,soon,Completed,x`)),
    );
    const { as } = await opened();
    const ada = await as('operator');
    const names = ({ markup }: { readonly markup: string }) =>
      [...markup.matchAll(/name="rows" value="([^"]+)"/g)].map(([, name = '']) => name);
    const seen: string[] = [];
    let path: string | null = '/attention/rows?states=invalid';
    while (path !== null) {
      const page = await read(await ada.get(path));
      seen.push(...names(page));
      expect(Buffer.byteLength(page.markup)).toBeLessThan(100_000);
      path = /href="([^"]+)" rel="next"/.exec(page.markup)?.[1]?.replaceAll('&amp;', '&') ?? null;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toContain('3:71');
    expect(names(await read(await ada.get('/attention/rows?search=L42%40')))).toEqual(['3:44']);
    const mine = names(await read(await ada.get('/attention/rows?learner=zq%40northwind.example')));
    expect(mine).toContain('2');
    expect((await ada.get('/attention/rows?after=nonsense')).status).toBe(422);
  });

  it('are not shown to a viewer, and no page of a viewer links to them', async () => {
    const { as } = await opened();
    const vera = await as('viewer');
    expect((await vera.get('/attention/rows?states=invalid')).status).toBe(403);
    for (const path of ['/', '/attention', '/files', '/files/1', '/runs/1', '/report']) {
      const { status, markup } = await read(await vera.get(path));
      expect([path, status]).toEqual([path, 200]);
      expect(markup).not.toMatch(/href="\/(attention\/rows|rows|learners|audit|decisions)|id="find"/);
    }
  });

  it('run nothing from a cell or an answer', async () => {
    const evil = "'><img src=x onerror=alert(1)>";
    await stageContent(ledger, fileOf([`"<script>x",${evil},soon,Completed,y`]));
    const { as } = await opened();
    const page = await read(await (await as('operator')).get('/attention/rows?file=drop.csv&states=invalid'));
    expect(page.markup).toContain('&lt;script&gt;x');
    expect(page.markup).not.toMatch(/<img|<script>x/);
  });
});

/** A file with the columns of the others. */
function fileOf(rows: readonly string[]): string {
  return `Email,Course ID,Completed on,Status,Name\n${rows.join('\n')}\n`;
}

/** Texts on a page that its reader must not see. */
function personalIn(markup: string): string[] {
  return PERSONAL.filter((text) => markup.toLowerCase().includes(text));
}
