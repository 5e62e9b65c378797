import { describe, expect, it } from 'vitest';
import type { OpenedDrop, OpenOptions } from '../../src/intake/opened-drop.js';
import { createRowNormaliser } from '../../src/normalise/normalise-row.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { planDrop } from '../../src/reading/plan-drop.js';
import { clockAt, sourceWith } from '../normalise/builders.js';
import { allRows, openContent, openWorkbookOf } from '../support/open-content.js';

/** The outcome of the rows under the header: the content of a record, else the codes of its issues. */
async function rowsOf(opened: OpenedDrop): Promise<readonly string[]> {
  const source = sourceWith({ timeZone: 'UTC' });
  const plan = await planDrop(opened, source);
  if (plan.kind !== 'export') throw new Error(JSON.stringify(plan));
  const clock = clockAt('2024-12-31T00:00:00Z');
  const normalise = createRowNormaliser(submitCompletion, source, plan.header, plan.profile, clock);
  const rows = (await allRows(opened)).map(normalise);
  return rows.slice(1).map((row) => {
    if (row.disposition === 'record') return String(row.record.fields['content-id']);
    return 'issues' in row
      ? row.issues.map(({ code, message }) => `${code}: ${message}`).join('\n')
      : row.disposition;
  });
}

async function read(lines: readonly string[], options: OpenOptions = {}): Promise<readonly string[]> {
  return rowsOf(await openContent(`${lines.join('\n')}\n`, options));
}

const HEADER = 'Email,Completion Date,Course Name,Course ID,Comment';
const WHOLE = [
  'a@x.com,2024-03-14,Fire,F-1,',
  'c@x.com,2024-03-15,First aid,FA-2,late',
  'd@x.com,2024-03-16,Fire,F-1,',
];

describe('a row of a text with more cells than nearly all others', () => {
  it.each([
    ['a title with a comma', 'b@x.com,2024-03-14,Health, Safety,HS-1,', 6, ' Safety'],
    ['a blank cell before the others', ',b@x.com,2024-03-14,Fire,F-1,', 6, 'Fire'],
    ['a delimiter more at its end', 'b@x.com,2024-03-14,Fire,F-1,x,', 6, 'F-1'],
    ['two more', 'b@x.com,2024-03-14,Fire,F-1,,,', 7, 'F-1'],
  ])('is ragged, also where the last is blank: %s', async (_, line, count, content) => {
    const [, odd, ...others] = await read([HEADER, WHOLE[0] ?? '', line, ...WHOLE.slice(1)]);
    expect(odd).toContain(
      `row-ragged: the row has ${count} cells, nearly all others 5: Course ID would be "${content.trim()}"`,
    );
    expect(others).toEqual(['FA-2', 'F-1']);
  });

  it.each([
    ['all rows', WHOLE.map((line) => `${line},`)],
    ['all rows, with two', WHOLE.map((line) => `${line},,`)],
  ])('is usual where %s have a delimiter at their end', async (_, lines) => {
    expect(await read([HEADER, ...lines])).toEqual(['F-1', 'FA-2', 'F-1']);
    const [odd] = (
      await read([
        HEADER,
        ...lines,
        `b@x.com,2024-03-14,Health, Safety,HS-1,${lines[0]?.endsWith(',,') ? ',,' : ','}`,
      ])
    ).slice(-1);
    expect(odd).toMatch(
      /^row-ragged: the row has [78] cells, nearly all others [67]: Course ID would be " ?Safety"/,
    );
  });
});

describe('a row of a text with fewer cells than nearly all others', () => {
  it.each([
    ['the quote of a value closes behind the next', 'b@x.com,2024-03-14,"Fire,"F-1,x', 'x'],
    ['a column is left out', 'b@x.com,2024-03-14,Fire,x', 'x'],
    ['a column is left out before the date', '2024-03-14,Fire,F-1,x', 'x'],
    ['a column is left out at the end, and nothing proves it', 'b@x.com,2024-03-14,FA-2,late', 'late'],
  ])('is ragged: %s', async (_, line, content) => {
    const [, odd] = await read([HEADER, WHOLE[0] ?? '', line, ...WHOLE.slice(1)]);
    expect(odd).toContain('row-ragged: the row has 4 cells, nearly all others 5');
    expect(odd).toContain(`Course ID would be "${content}"`);
  });

  it('names the quote that precedes text', async () => {
    const lines = ['Email,Completion Date,Course ID,Course Name,Comment', 'a@x.com,2024-03-14,F-1,Fire,x'];
    const [, odd] = await read([
      ...lines,
      'b@x.com,2024-03-14,"F-1,"Fire",x',
      'c@x.com,2024-03-14,F-1,Fire,',
    ]);
    expect(odd).toContain(
      'row-ragged: the row has 4 cells, nearly all others 5: Course ID would be ""F-1,"Fire""',
    );
    expect(odd).toContain(
      'identifier-damaged: Course ID ""F-1,"Fire"" has a quote in the file that closes before',
    );
  });

  it('is ragged for such a quote also where a day shows that the last cells were left out', async () => {
    const lines = ['Email,Course ID,Completion Date,Comment', 'a@x.com,F-1,2024-03-14,late'];
    const rows = await read([...lines, 'b@x.com,"F-"2,2024-03-14', 'c@x.com,F-3,2024-03-14']);
    expect(rows).toEqual([
      'F-1',
      expect.stringMatching(/^row-ragged: .*\nidentifier-damaged: Course ID ""F-"2" has a quote/),
      'F-3',
    ]);
  });

  it.each([
    [
      'behind a day',
      'Email,Course ID,Completion Date,Score,Comment',
      ['a@x.com,F-1,2024-03-14,80,late', 'b@x.com,F-2,2024-03-14,75', 'c@x.com,F-3,2024-03-15'],
    ],
    [
      'behind a day where no row is whole',
      'Email,Course ID,Completion Date,Score,Comment',
      ['a@x.com,F-1,2024-03-14', 'b@x.com,F-2,2024-03-14', 'c@x.com,F-3,2024-03-15'],
    ],
    [
      'behind codes',
      'Completion Date,Email,Course ID,Comment',
      ['2024-03-14,a@x.com,F-1,', '2024-03-14,b@x.com,F-2', '2024-03-14,c@x.com,F-3'],
    ],
    [
      'behind an unused day',
      'Email,Completion Date,Course ID,Expires,Comment',
      [
        'a@x.com,2024-03-14,F-1,31/12/2025,late',
        'b@x.com,2024-03-14,F-2,31/12/2025',
        'c@x.com,2024-03-14,F-3,31/12/2025',
      ],
    ],
  ])('is a record where only what follows was left out: %s', async (_, header, lines) => {
    expect(await read([header, ...lines])).toEqual(['F-1', 'F-2', 'F-3']);
  });

  it('is ragged where the columns left out hold days as well', async () => {
    const header = 'Email,Course ID,Completion Date,Expires';
    const rows = await read([header, 'a@x.com,F-1,2024-03-14,2025-03-14', 'b@x.com,F-2,2025-03-14']);
    expect(rows[1]).toContain('row-ragged: the row has 3 cells, nearly all others 4');
  });

  it('is not skipped for a status that may have moved', async () => {
    const header = 'Email,Course ID,Completion Date,Status,Comment';
    const rows = await read([header, 'a@x.com,F-1,2024-03-14,Completed,x', 'b@x.com,F-2,Failed,Completed']);
    expect(rows[1]).toContain('row-ragged');
  });
});

it('a row of a workbook ends where its last value does', async () => {
  const cell = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const lines = [
    HEADER.split(','),
    ['a@x.com', '2024-03-14', 'Fire', 'F-1', 'late'],
    ['b@x.com', '2024-03-14', 'Fire', 'x1'],
  ];
  const xml = lines.map((cells) => `<row>${cells.map(cell).join('')}</row>`).join('');
  expect(await rowsOf(await openWorkbookOf({ sheets: [{ name: 'Export', rows: xml }] }))).toEqual([
    'F-1',
    'x1',
  ]);
});
