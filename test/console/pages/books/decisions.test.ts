import { beforeEach, expect, it } from 'vitest';
import { recordEvent } from '../../../../src/ledger/access/audit-log.js';
import { openDecision } from '../../../../src/ledger/erasure/open-decision.js';
import type { Ledger } from '../../../../src/ledger/store/query.js';
import { actionContext } from '../../../support/action-context.js';
import { browsedLedger } from '../../../support/browsed-ledger.js';
import { decide } from '../../../support/decide.js';
import { peopledConsole, read } from '../../../support/peopled-console.js';
import { select } from '../../../support/select.js';

let ledger: Ledger;
beforeEach(async () => {
  ledger = await browsedLedger();
  const rejected = [...(await select(ledger, { states: ['rejected'] }))];
  const who = { name: 'ada', door: 'console' as const };
  const because = 'Zacharias Quimby has left <b>us</b>';
  const selection = { states: ['rejected'], cause: 'bad-request' };
  await decide(ledger, { kind: 'dismiss', who, because, selection }, rejected.slice(0, 2), null);
  const byCommand = { name: 'ben', door: 'command-line' as const };
  await openDecision(ledger, {
    kind: 'rerun',
    who: byCommand,
    because: null,
    selection: { states: ['held'], learners: ['aa', 'bb'] },
    filter: { states: ['held'] },
  });
});

async function opened() {
  return peopledConsole(actionContext(ledger));
}

it('the log says who decided what by which door, why, and what it did', async () => {
  const { as } = await opened();
  const { text, markup } = await read(await (await as('operator')).get('/audit'));
  expect(text).toMatch(/ben, command line 2: Rerun held rows of one learner incomplete/);
  expect(text).toMatch(
    /ada, console 1: Dismiss rejected rows with the cause bad-request .* 2 rows dismissed/,
  );
  expect(markup).toContain('&lt;b&gt;us&lt;/b&gt;');
  expect(markup).not.toContain('>aa<');
});

it.each([
  ['kind=dismiss', ['1']],
  ['who=ben', ['2']],
  ['end=open', ['2']],
  ['kind=purge', []],
])('the log narrows by ?%s', async (search, expected) => {
  const { as } = await opened();
  const { markup } = await read(await (await as('operator')).get(`/audit?${search}`));
  expect([...markup.matchAll(/href="\/decisions\/(\d+)"/g)].map(([, id]) => id)).toEqual(expected);
});

it('a decision shows its rows and links to them; an open one says who finishes it', async () => {
  const { as } = await opened();
  const operator = await as('operator');
  const done = await read(await operator.get('/decisions/1'));
  expect(done.text).toContain('Why Zacharias Quimby has left');
  expect([...done.markup.matchAll(/href="\/rows\/\d+"/g)]).toHaveLength(2);
  expect(done.text).toContain('dismissed');
  const open = await read(await operator.get('/decisions/2'));
  expect(open.text).toContain('The next run resumes it.');
  expect((await operator.get('/decisions/77')).status).toBe(404);
  expect((await operator.get('/decisions/x')).status).toBe(404);
});

it('the audit log has uploads and sign-ins beside decisions, for operators and auditors alone, as a table and as CSV', async () => {
  const sha256 = 'a'.repeat(64);
  await recordEvent(
    ledger,
    'upload',
    { name: 'anna', door: 'console' },
    { source: 'academy', sha256, file_name: '=kim.csv' },
  );
  const { as } = await opened();
  for (const role of ['operator', 'auditor'] as const) {
    const visitor = await as(role);
    const { text } = await read(await visitor.get('/audit'));
    expect(text).toMatch(/anna, console Upload a file =kim\.csv, for academy/);
    expect(text).toMatch(/ada, console 1: Dismiss rejected rows .*Zacharias Quimby/);
    expect((await read(await visitor.get('/audit?who=anna&kind=dismiss'))).text).toContain(
      'No entry matches',
    );
    expect((await visitor.get('/audit?since=yesterday')).status).toBe(409);
    expect((await visitor.get('/audit.csv?since=yesterday')).status).toBe(409);
    const csv = await visitor.get('/audit.csv?kind=upload');
    expect(csv.headers.get('content-disposition')).toContain('audit-log.csv');
    expect((await csv.text()).split('\r\n')).toEqual([
      'time,who,by,what,source,name,value,drop,decision,reason',
      expect.stringMatching(/^2[\d-]+T[\d:.]+Z,anna,console,Upload a file,academy,'=kim\.csv,,,,$/),
      '',
    ]);
  }
  const viewer = await as('viewer');
  for (const path of ['/audit', '/audit.csv', '/decisions/1'])
    expect((await viewer.get(path)).status).toBe(403);
  expect((await read(await viewer.get('/'))).markup).not.toContain('href="/audit');
});
