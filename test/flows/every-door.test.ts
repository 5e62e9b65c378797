import { expect, it } from 'vitest';
import { factsOf, type RequestOf, VERBS, type VerbName } from '../../src/actions/decision/verb-facts.js';
import { loadVerb } from '../../src/actions/load-verb.js';
import { BROWSABLE, DISMISSABLE, RERUNNABLE } from '../../src/actions/rows/selectable.js';
import { OPERATIONS } from '../../src/console/api/operations.js';
import { failureSchema, type Problem } from '../../src/documents/common.js';
import { forgetSchema, purgeSchema } from '../../src/documents/decisions.js';
import { readSelection, type Selectable, type Selection } from '../../src/domain/selection.js';
import { renderHtml } from '../../src/report/page/html.js';
import { richTextHtml } from '../../src/report/page/words.js';
import { plainText } from '../../src/report/sections/section.js';
import { deliveredApi } from '../support/delivered-api.js';
import { read as readPage } from '../support/peopled-console.js';

const [OLD, NOW] = ['ben.unknown@example.com', 'ben@example.com'];

/** A page's text as people read it. */
async function read(response: Response) {
  const page = await readPage(response);
  const marks = { '&quot;': '"', '&#39;': "'", '&lt;': '<', '&gt;': '>', '&amp;': '&' };
  const text = Object.entries(marks).reduce((all, [mark, sign]) => all.replaceAll(mark, sign), page.text);
  return { ...page, text };
}

function selected(value: object, selectable: Selectable): Selection {
  const read = readSelection(value, selectable);
  if ('mistakes' in read) throw new Error(JSON.stringify(read));
  return read.selection;
}

/** One request, as each door takes it. */
interface AtDoors<Request> {
  readonly request: Request;
  readonly line: readonly string[];
  readonly body: object;
  /** An address, or a form with a reason of its own. */
  readonly page: string | { readonly path: string; readonly fields: Readonly<Record<string, string>> };
}

interface Walk<Request> {
  readonly verb: VerbName;
  readonly planned: AtDoors<Request>;
  readonly refused: Omit<AtDoors<Request>, 'request'>;
  readonly status: number;
}

function walk<Name extends VerbName>(verb: Name, rest: Omit<Walk<RequestOf<Name>>, 'verb'>): Walk<never> {
  return { verb, ...rest } as unknown as Walk<never>;
}

/** Every decision that has all four doors: one that can be planned, and one that is refused. */
const WALKS: readonly Walk<never>[] = [
  walk('rerun', {
    planned: {
      request: { selection: selected({ all: true }, RERUNNABLE) },
      line: ['rerun', '--all'],
      body: { selection: { all: true } },
      page: '/decide/rerun?all=true',
    },
    refused: {
      line: ['rerun', '--row', '99'],
      body: { selection: { rows: [99] } },
      page: '/decide/rerun?rows=99',
    },
    status: 404,
  }),
  walk('dismiss', {
    planned: {
      request: { selection: selected({ all: true }, DISMISSABLE) },
      line: ['dismiss', '--all'],
      body: { selection: { all: true } },
      page: '/decide/dismiss?all=true',
    },
    refused: { line: ['dismiss', '--drop', '99'], body: { drop: 99 }, page: '/decide/dismiss?drop=99' },
    status: 404,
  }),
  walk('map', {
    planned: {
      request: { old: OLD, new: NOW },
      line: ['map', OLD, NOW],
      body: { old: OLD, new: NOW },
      page: `/decide/map?old=${OLD}&new=${NOW}`,
    },
    refused: {
      line: ['map', OLD, OLD],
      body: { old: OLD, new: OLD },
      page: `/decide/map?old=${OLD}&new=${OLD}`,
    },
    status: 422,
  }),
  walk('restage', {
    planned: {
      request: { drop: 'rows.csv', limit: 20 },
      line: ['restage', 'rows.csv'],
      body: { drop: 'rows.csv' },
      page: '/decide/restage?drop=rows.csv',
    },
    refused: {
      line: ['restage', 'none.csv'],
      body: { drop: 'none.csv' },
      page: '/decide/restage?drop=none.csv',
    },
    status: 404,
  }),
  walk('correct', {
    planned: {
      request: { row: 'rows.csv:5', values: ['Score=50'] },
      line: ['correct', 'rows.csv:5', '--set', 'Score=50'],
      body: { row: 'rows.csv:5', values: { Score: '50' } },
      page: { path: '/rows/1:5/try', fields: { 'cell-1:5-3': '50', 'was-1:5-3': 'high' } },
    },
    refused: {
      line: ['correct', 'rows.csv:2', '--set', 'Score=50'],
      body: { row: 'rows.csv:2', values: { Score: '50' } },
      page: { path: '/rows/1:2/try', fields: { 'cell-1:2-3': '50' } },
    },
    status: 409,
  }),
  walk('replace', {
    planned: {
      request: { selection: selected({ all: true }, BROWSABLE), column: 'Score', find: '9', with: '8' },
      line: ['replace', '--all', '--column', 'Score', '--find', '9', '--with', '8'],
      body: { selection: { all: true }, column: 'Score', find: '9', with: '8' },
      page: '/decide/replace?all=true&column=Score&find=9&with=8',
    },
    refused: {
      line: ['replace', '--row', '99', '--column', 'Score', '--find', '9', '--with', '8'],
      body: { selection: { rows: [99] }, column: 'Score', find: '9', with: '8' },
      page: '/decide/replace?rows=99&column=Score&find=9&with=8',
    },
    status: 404,
  }),
];

function pathOf(verb: VerbName): string {
  return factsOf(verb).path ?? '';
}

it('each decision plans and refuses alike at every door, in the same words, and changes nothing', async () => {
  const { operator, printed, workspace, api } = await deliveredApi();
  const deciding = OPERATIONS.filter(({ body, tag }) => tag === 'Decisions' && body !== null);
  expect(WALKS.map(({ verb }) => pathOf(verb)).sort()).toEqual(deciding.map(({ path }) => path).sort());
  const visitor = api.visitor();
  await visitor.get('/rows/1:5');
  const shown = async (page: AtDoors<never>['page']) =>
    read(await (typeof page === 'string' ? visitor.get(page) : visitor.post(page.path, page.fields)));
  const before = workspace.states();
  for (const { verb: name, planned, refused, status } of WALKS) {
    const verb = await loadVerb(name);
    const path = pathOf(name);
    const { headline, lines } = verb.preview(await verb.plan(api.context, planned.request));
    const sentences = [headline, ...lines].map(plainText);
    const text = (await workspace.cli(...planned.line, '--dry-run')).stdout;
    const page = await shown(planned.page);
    expect([path, page.status, sentences.filter((one) => !text.includes(one))]).toEqual([path, 200, []]);
    for (const sentence of [headline, ...lines]) {
      const onPage = await read(new Response(renderHtml(richTextHtml(sentence))));
      expect([path, page.text]).toEqual([path, expect.stringContaining(onPage.text)]);
    }
    const dry = (body: object) => operator.post<Problem>(path, { ...body, dryRun: true });
    expect([path, (await dry(planned.body)).document]).toEqual([
      path,
      await printed(...planned.line, '--dry-run'),
    ]);

    const refusal = await dry(refused.body);
    const { error } = failureSchema.parse(await printed(...refused.line, '--dry-run'));
    const { detail, operation, subject, hint } = refusal.document;
    expect([path, refusal.status]).toEqual([path, status]);
    expect([path, { operation, subject, message: detail, hint, exit: error.exit }]).toEqual([path, error]);
    const typed = await workspace.cli(...refused.line, '--dry-run');
    expect([path, typed.stderr.toLowerCase()]).toEqual([
      path,
      expect.stringContaining(detail.toLowerCase().replace(/\.$/, '')),
    ]);
    const refusedPage = await shown(refused.page);
    expect([path, refusedPage.status, refusedPage.text.toLowerCase()]).toEqual([
      path,
      status,
      expect.stringContaining(detail.toLowerCase().replace(/\.$/, '')),
    ]);
    expect([path, refusedPage.text]).toEqual([path, expect.stringContaining(hint)]);
  }
  expect(workspace.states()).toEqual(before);
});

it('a decision without the reason that it needs is refused with one sentence by every door', async () => {
  const { operator, workspace, api } = await deliveredApi();
  const needing = WALKS.filter(({ verb }) => VERBS[verb].needsReason);
  expect(needing.map(({ verb }) => verb)).toEqual(['dismiss', 'map', 'correct', 'replace']);
  const visitor = api.visitor();
  for (const { verb, planned } of needing) {
    const path = pathOf(verb);
    const sentence = `${verb} needs a reason, which is kept with the decision`;
    expect((await workspace.cli(...planned.line)).stderr.toLowerCase()).toContain(sentence);
    const { status, document } = await operator.post<Problem>(path, planned.body);
    expect([status, document.detail, document.errors]).toEqual([
      422,
      sentence,
      [{ in: 'body', field: 'because', message: 'is missing' }],
    ]);
    const { page } = planned;
    const address = typeof page === 'string' ? page : '/rows/1:5';
    const { markup } = await read(await visitor.get(address));
    const [, fingerprint = ''] = /name="fingerprint" value="([^"]*)"/.exec(markup) ?? [];
    const [to, fields] = typeof page === 'string' ? [page, {}] : ['/rows/1:5/correct', page.fields];
    const answer = await read(await visitor.post(to, { ...fields, fingerprint }));
    expect([verb, answer.text.toLowerCase()]).toEqual([verb, expect.stringContaining(sentence)]);
  }
  expect(workspace.query('select * from decision')).toEqual([]);
});

it('an empty text to find is refused, because every cell contains it', async () => {
  const { operator, workspace } = await deliveredApi();
  const line = ['replace', '--all', '--column', 'Score', '--find', '', '--with', '8', '--because', 'so'];
  const typed = await workspace.cli(...line);
  expect([typed.code, typed.stderr]).toEqual([2, expect.stringContaining('the text to find is empty')]);
  const body = { selection: { all: true }, column: 'Score', find: '', with: '8', because: 'so' };
  expect((await operator.post<Problem>('/replacements', body)).status).toBe(422);
  expect(workspace.query('select * from decision')).toEqual([]);
});

it('erasures are decided at the command line alone, whose documents are described', async () => {
  const { printed } = await deliveredApi();
  const forgetting = ['forget', OLD];
  const purging = ['purge', '--before', '2025-01-01'];
  expect(forgetSchema.parse(await printed(...forgetting, '--dry-run'))).toMatchObject({
    dryRun: true,
    rows: 2,
  });
  expect(purgeSchema.parse(await printed(...purging, '--dry-run'))).toMatchObject({ dryRun: true });
  expect(forgetSchema.parse(await printed(...forgetting, '--because', 'she asked'))).toMatchObject({
    decision: 1,
    proof: { remaining: [] },
  });
  expect(purgeSchema.parse(await printed(...purging))).toMatchObject({ decision: 2, drops: [] });
});

const MISTAKES: readonly [readonly string[], Readonly<Record<string, unknown>>, string, string][] = [
  [
    ['--state', 'accepted'],
    { states: ['accepted'] },
    `"accepted" can't be rerun`,
    'The platform has accepted it',
  ],
  [['--since', 'soon'], { since: 'soon' }, `"soon" can't be read`, 'Write a day as 2026-03-02'],
  [['--run', 'x'], { run: 'x' }, `"x" can't be read`, 'It is the number of a run'],
  [['--row', 'none'], { rows: ['none'] }, `"none" can't be read`, 'A row is named by'],
];

it('a mistake in a selection is refused with one sentence by every door', async () => {
  const { operator, auditor, workspace, api } = await deliveredApi();
  for (const [options, value, problem, hint] of MISTAKES) {
    const typed = await workspace.cli('rerun', ...options);
    expect([typed.code, typed.stderr]).toEqual([2, expect.stringContaining(problem)]);
    expect(typed.stderr).toContain(hint);
    const [[field, text] = []] = Object.entries(value);
    const message = expect.stringContaining(`${problem}. ${hint}`);
    const sent = await operator.post<Problem>('/reruns', { selection: value });
    expect([sent.status, sent.document.errors]).toEqual([
      422,
      [{ in: 'body', field: `selection.${field}`, message }],
    ]);
    const page = await read(await api.visitor().get(`/decide/rerun?${field}=${text}`));
    expect([page.status, page.text]).toEqual([422, expect.stringContaining(`${problem}. ${hint}`)]);
    // Rows of any state can be looked at.
    if (field === 'states') continue;
    const found = await auditor.get<Problem>(`/rows?${field}=${text}`);
    expect([found.status, found.document.errors]).toEqual([422, [{ in: 'query', field, message }]]);
  }
});
