import { describe, expect, it, test } from 'vitest';
import type { ReportedOutage } from '../../../src/documents/common.js';
import type { ReportedCause } from '../../../src/documents/report.js';
import { timelineOf } from '../../../src/domain/environment/timeline.js';
import { DISPOSITIONS } from '../../../src/domain/row.js';
import { STATES } from '../../../src/domain/submission.js';
import type { PageFacts } from '../../../src/report/page/facts.js';
import { htmlPage } from '../../../src/report/page/html-page.js';
import type { Report } from '../../../src/report/report.js';
import { causeGroups } from '../../../src/report/words/cause-advice.js';
import { namedFigures } from '../../support/page-figures.js';

const NO_ROWS = Object.fromEntries(DISPOSITIONS.map((name) => [name, 0])) as Report['dispositions'];
const NO_STATES = Object.fromEntries(STATES.map((name) => [name, 0])) as Report['states'];
const NO_ATTEMPTS: Report['attempts'] = {
  total: 0,
  responses: 0,
  noResponses: 0,
  open: 0,
  accepted: 0,
  rejected: 0,
  throttled: 0,
  repeats: 0,
};

/** An empty report with the test's overrides. */
function facts(report: Partial<Report> = {}, overrides: Partial<PageFacts> = {}): PageFacts {
  const whole: Report = {
    selection: {},
    at: '2026-03-02T08:00:00.000Z',
    balanced: true,
    imbalances: [],
    equations: [],
    corrections: [],
    rows: 0,
    dispositions: NO_ROWS,
    states: NO_STATES,
    attempts: NO_ATTEMPTS,
    attention: 0,
    attentionRows: 0,
    attentionFiles: 0,
    attentionElsewhere: { rows: 0, files: 0 },
    waiting: [],
    causes: [],
    outages: [],
    notices: [],
    unknownLearners: { learners: 0, rows: 0 },
    omitted: [],
    altered: { counts: { entity: 0, letters: 0, other: 0 }, shown: [] },
    existing: { existed: 0, revived: 0 },
    files: [],
    drops: [],
    unmatched: null,
    ...report,
  };
  return {
    report: whole,
    run: null,
    timeline: null,
    causes: causeGroups(whole.causes),
    versions: [['Registrar', '0.1.0']],
    config: null,
    attentionFile: (dropId) => `${dropId}-march.attention.csv`,
    workbookFile: null,
    otherFiles: ['report.json'],
    ...overrides,
  };
}

const file = (overrides: Partial<Report['files'][number]> = {}): Report['files'][number] => ({
  drop: 1,
  source: 'academy',
  file: 'march.csv',
  isTaken: true,
  firstFile: 'march.csv',
  sha256: '0'.repeat(64),
  state: 'published',
  rows: 3,
  hiddenRows: 0,
  sheetsLeft: [],
  zones: [],
  refusal: null,
  closure: null,
  header: ['Email'],
  dispositions: { ...NO_ROWS, staged: 3 },
  states: { accepted: 3 },
  repeatedArrivals: 0,
  repeatedNames: [],
  changedAt: null,
  ...overrides,
});

const cause = (overrides: Partial<ReportedCause> = {}): ReportedCause => ({
  cause: 'platform-refused',
  code: 'bad-request',
  state: 'rejected',
  reason: 'the platform refused the record',
  remedy: 'Read the detail.',
  count: 1,
  example: 'march.csv:7',
  drops: [{ drop: 1, file: 'march.csv', count: 1 }],
  ...overrides,
});

const AGAIN = '2026-03-02T09:00:00.000Z';

const outage = (overrides: Partial<ReportedOutage> = {}): ReportedOutage => ({
  environment: 'main',
  operation: null,
  since: '2026-03-02T07:00:00.000Z',
  lastAt: '2026-03-02T08:00:00.000Z',
  endedAt: null,
  runs: 2,
  code: 'connection-refused',
  reason: 'the platform refuses the connection: connect ECONNREFUSED 127.0.0.1:9 (http://127.0.0.1:9)',
  remedy: 'Nothing listens there.',
  waiting: 3,
  ...overrides,
});

const headline = (page: string) =>
  /<h1>(.*?)<\/h1>/s
    .exec(page)?.[1]
    ?.replace(/<[^>]*>/g, '')
    .replaceAll('\u00a0', ' ');

describe('the first sentence', () => {
  const three = { rows: 3, dispositions: { ...NO_ROWS, staged: 3 }, files: [file()] };
  it.each<[string, Partial<Report>, string]>([
    ['nothing was imported', {}, 'No new files. Nothing needs attention.'],
    [
      'all is well',
      { ...three, states: { ...NO_STATES, accepted: 3 } },
      '3 rows accepted. Nothing needs attention.',
    ],
    [
      'all was known',
      { ...three, dispositions: { ...NO_ROWS, duplicate: 3 } },
      'Nothing new to send. Nothing needs attention.',
    ],
    [
      'rows wait',
      { ...three, states: { ...NO_STATES, accepted: 1, waiting: 1200, sending: 1 } },
      '1 row accepted, 1,201 rows waiting. Nothing needs attention.',
    ],
    [
      'an environment can’t be used',
      { ...three, states: { ...NO_STATES, waiting: 3 }, outages: [outage()] },
      'Environment main can&#39;t be used, and 3 rows wait for it.',
    ],
    [
      'two can’t, and a row needs attention',
      {
        ...three,
        states: { ...NO_STATES, accepted: 1, rejected: 1, waiting: 4 },
        attention: 1,
        attentionRows: 1,
        causes: [cause()],
        outages: [outage(), outage({ environment: 'other', waiting: 1 })],
      },
      '2 environments or operations are unavailable, and 4 rows wait for them; 1 row accepted; 1 row needs attention.',
    ],
    [
      'one can be used again',
      { ...three, states: { ...NO_STATES, accepted: 3 }, outages: [outage({ endedAt: AGAIN })] },
      '3 rows accepted. Nothing needs attention.',
    ],
    [
      'a row needs attention',
      {
        ...three,
        states: { ...NO_STATES, accepted: 2, rejected: 1 },
        attention: 1,
        attentionRows: 1,
        causes: [cause()],
      },
      '2 rows accepted, 1 row needs attention.',
    ],
    [
      'rows need attention, and a file that was set aside: they are not added up',
      {
        ...three,
        states: { ...NO_STATES, accepted: 2542 },
        attention: 354,
        attentionRows: 353,
        attentionFiles: 1,
      },
      '2,542 rows accepted, 353 rows and 1 file need attention.',
    ],
    [
      'earlier runs have left rows',
      {
        ...three,
        selection: { runId: 2 },
        states: { ...NO_STATES, accepted: 6 },
        waiting: [
          {
            environment: 'main',
            waiting: 278,
            estimatedMs: 240_000,
            estimatedEnd: '2026-03-02T08:04:00.000Z',
            pushedBy: null,
          },
        ],
      },
      '6 rows accepted, 278 rows waiting. Nothing needs attention.',
    ],
    [
      'the books do not balance',
      { ...three, balanced: false, attention: 5 },
      'The books don’t balance: don’t rely on the figures below.',
    ],
  ])('when %s', (_, report, sentence) => {
    expect(headline(htmlPage(facts(report)))).toBe(sentence);
  });
});

test('imbalances come first, with the rows that are too many or missing', () => {
  const imbalances = [
    {
      equation: 'rows' as const,
      subject: 'academy/march.csv',
      expected: 3,
      found: 4,
      examples: ['line 3 is skipped and staged'],
    },
  ];
  const page = htmlPage(facts({ balanced: false, imbalances, rows: 3 }));
  expect(page).toContain('data-balanced="false"');
  expect(page.indexOf('line 3 is skipped and staged')).toBeGreaterThan(0);
  expect(page.indexOf('id="books"')).toBeLessThan(page.indexOf('id="rows"'));
});

test.each([
  [3, '='],
  [4, '≠'],
])('a sum of %i where 3 were counted is shown with %s', (rows, sign) => {
  const page = htmlPage(facts({ rows, dispositions: { ...NO_ROWS, staged: 3 }, balanced: rows === 3 }));
  const [first] = [...page.matchAll(/class="op">(.)</g)].map(([, shown]) => shown);
  expect(first).toBe(sign);
});

test('a refused file is named with its reason, in which addresses are masked', () => {
  const refusal = 'line 3 (jane@example.com) is damaged';
  const page = htmlPage(facts({ files: [file({ state: 'refused', refusal, rows: null })], attention: 1 }));
  expect(page).toContain('line 3 (j…@e….com) is damaged');
  expect(page).toContain('rejected/academy/');
});

/** The list with which the page begins, as text. */
function firstLines(page: string): string[] {
  const [, list = ''] = /<ul class="needs">(.*?)<\/ul>/s.exec(page) ?? [];
  return [...list.matchAll(/<li[^>]*>(.*?)<\/li>/gs)].map(([, line = '']) => line.replace(/<[^>]*>/g, ''));
}

test('the page begins with causes, each leading to its card, and refused files', () => {
  const causes = [
    cause({ count: 4 }),
    cause({ cause: 'status-unknown', code: 'status-unknown', state: 'invalid', count: 3 }),
  ];
  const files = [file(), file({ drop: 2, state: 'refused', refusal: 'no header', rows: null })];
  const page = htmlPage(facts({ causes, files, attention: 8, unknownLearners: { learners: 2, rows: 2 } }));
  expect(firstLines(page)).toEqual([
    '4 rows: the platform refused the record',
    expect.stringMatching(/^3 rows: /),
    '1 file refused',
  ]);
  expect(page).toContain('<li><a href="#cause-2">3 rows</a>');
  expect(page.replace(/<[^>]*>/g, '')).toContain(
    'The platform does not know 2 learners with 2 rows; registrar map',
  );
});

test('the first lines name eight of the files that were not imported', () => {
  const unmatched = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      source: null,
      path: `inbox/<${index + 1}>.ods`,
      code: 'no-inbox' as const,
      reason: 'is directly in inbox/',
      remedy: 'Move it.',
    }));
  const lines = (count: number) => firstLines(htmlPage(facts({ unmatched: unmatched(count) })));
  expect(lines(1)).toEqual(['inbox/&lt;1&gt;.ods is directly in inbox/. Move it.']);
  expect(lines(10).slice(7)).toEqual([
    'inbox/&lt;8&gt;.ods is directly in inbox/. Move it.',
    '2 more unmatched files',
  ]);
});

test('no line of the headline breaks between a number and its noun', () => {
  const page = htmlPage(facts({ attention: 14, attentionRows: 13, attentionFiles: 1, rows: 14 }));
  expect(page).toMatch(/<h1>.*>13<\/data>\u00a0rows and .*>1<\/data>\u00a0file need attention\.<\/h1>/);
});

test('each number of the model is there, zeros as well', () => {
  const figures = namedFigures(
    htmlPage(facts({ rows: 1234567, dispositions: { ...NO_ROWS, blank: 1234567 } })),
  );
  expect(figures).toMatchObject({ rows: 1234567, 'dispositions.blank': 1234567, 'dispositions.staged': 0 });
  for (const name of DISPOSITIONS) expect(figures).toHaveProperty([`dispositions.${name}`]);
  for (const name of STATES) expect(figures).toHaveProperty([`states.${name}`]);
  for (const name of ['total', 'responses', 'noResponses', 'open', 'throttled', 'repeats']) {
    expect(figures).toHaveProperty([`attempts.${name}`], 0);
  }
});

test('the first lines name the one file to open, and each file named is a link within the folder', () => {
  const drops = [
    { drop: 1, file: 'march #1.csv', count: 38 },
    { drop: 3, file: 'campus.csv', count: 15 },
    { drop: 4, file: 'workshops.xlsx', count: 21 },
  ];
  const page = htmlPage(
    facts(
      { causes: [cause({ count: 74, drops })], attentionRows: 74, attention: 74, selection: { runId: 12 } },
      {
        workbookFile: 'run-12.attention.xlsx',
        attentionFile: (dropId) => `${dropId}-rows #1.attention.csv`,
        otherFiles: ['report.json', 'report.txt'],
      },
    ),
  );
  const guide = '<a class="file" href="run-12.attention.xlsx"><bdi>';
  expect(page).toContain(
    `</h1>\n<p class="open">${guide}Open run-12.attention.xlsx: what to do, sheet by sheet</bdi></a></p>`,
  );
  const card = page.slice(page.indexOf('<article'), page.indexOf('</article>'));
  expect(card).toContain(`work on them in ${guide}`);
  const links = [...card.matchAll(/<li><b>(.*?)<\/b> in <bdi>(.*?)<\/bdi>.*?href="(.*?)"/g)];
  expect(links.map(([, ...found]) => found)).toEqual([
    ['38 rows', 'march #1.csv', '1-rows%20%231.attention.csv'],
    ['15 rows', 'campus.csv', '3-rows%20%231.attention.csv'],
    ['21 rows', 'workshops.xlsx', '4-rows%20%231.attention.csv'],
  ]);
  expect(page).toContain('href="report.txt"');
});

test('rows of other runs that need attention are named beside the findings of a run', () => {
  const elsewhere = { states: { ...NO_STATES, accepted: 3 }, selection: { runId: 2 } };
  const page = htmlPage(facts({ ...elsewhere, attentionElsewhere: { rows: 5, files: 1 } }));
  expect(page).toContain('Nothing</data> new needs attention.');
  expect(page).toContain('5 rows and 1 file of other runs need attention: registrar status.');
});

test('a chart ends where the run did: three minutes are no half hour', () => {
  const [first, last] = ['2026-03-02T08:00:01.000Z', '2026-03-02T08:02:38.000Z'];
  const sent = { sent: 1, accepted: 1, refused: 0, throttled: 0, failed: 0, open: 0 };
  const timeline = timelineOf(
    [first, last].map((at) => ({ at, ...sent })),
    first,
    last,
  );
  const page = htmlPage(facts({}, { timeline }));
  const axis = /<p class="axis"[^>]*>(.*?)<\/p>/.exec(page)?.[1];
  expect(axis?.match(/\d\d:\d\d:\d\d(?= UTC)/g)).toEqual(['08:00:00', '08:01:20', '08:02:40']);
  expect(page).toContain('viewBox="0 0 32 100"');
});

test('a page loads nothing and runs nothing', () => {
  const page = htmlPage(facts({ files: [file()], causes: [cause()] }));
  expect(page.replaceAll('&#39;', "'")).toMatch(
    /content="default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:;/,
  );
  expect(page).not.toMatch(/<script|<img|<iframe|<object|<form|\son\w+=|\sstyle=|javascript:|url\(|@import/i);
  const targets = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target]) => target ?? '');
  const beside = ['1-march.attention.csv', 'report.json'];
  expect(targets.filter((target) => !target.startsWith('#') && target !== 'data:,')).toEqual(beside);
});

test('ten thousand files, a thousand causes and a full timeline stay below two megabytes', () => {
  const causes = Array.from({ length: 1_000 }, (_, index) =>
    cause({ code: `code-${index}`, count: 100_000 }),
  );
  const states = Object.fromEntries(STATES.map((name) => [name, 1_234_567])) as Report['states'];
  const dispositions = Object.fromEntries(
    DISPOSITIONS.map((name) => [name, 1_234_567]),
  ) as Report['dispositions'];
  const files = Array.from({ length: 10_000 }, (_, index) =>
    file({ drop: index, file: '"'.repeat(250), dispositions, states, repeatedArrivals: 3 }),
  );
  // Longer than what of a refusal is shown.
  const refused = files.map((one) => ({ ...one, state: 'refused' as const, refusal: '"'.repeat(600) }));
  const equations = Array.from({ length: 5_000 }, (_, index) => ({
    over: 'drop' as const,
    subject: '"'.repeat(280),
    equation: 'rows' as const,
    left: 1_234_567,
    right: 1_234_567,
    holds: true,
    dropId: index,
  }));
  const minutes = Array.from({ length: 120 }, (_, minute) => ({
    at: new Date(Date.parse('2026-03-01T00:00:00.000Z') + minute * 60_000).toISOString(),
    sent: 1_000_000,
    accepted: 200_000,
    refused: 200_000,
    throttled: 200_000,
    failed: 200_000,
    open: 200_000,
  }));
  const timeline = timelineOf(minutes, minutes[0]?.at ?? '', minutes[119]?.at ?? '');
  const page = htmlPage(
    facts(
      { files: [...files, ...refused], equations, causes, states, dispositions, attention: 9 },
      { timeline },
    ),
  );
  expect(Buffer.byteLength(page)).toBeLessThan(2_000_000);
  expect(page).toContain('950 further causes');
});

test('the texts of rows that came back altered are counted, not shown', () => {
  const shown = [
    { file: 'march.csv', line: 2, field: 'name', kind: 'letters' as const, sent: 'Zoë', returned: 'Zoe' },
  ];
  const page = htmlPage(facts({ altered: { counts: { entity: 0, letters: 1, other: 0 }, shown } }));
  expect(page).toContain('Altered by the platform');
  expect(page).not.toMatch(/Zoë|Zoe/);
});
