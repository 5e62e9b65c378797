import { describe, expect, it } from 'vitest';
import type { SourceConfig } from '../../src/config/schema.js';
import { chooseSheet, planDrop, sampleRows } from '../../src/reading/plan-drop.js';
import { sourceOf } from '../staging/staging-bench.js';
import { csvOf, exportRows } from '../support/exports.js';
import { openContent, openWorkbookOf } from '../support/open-content.js';
import type { SheetSpec } from '../support/workbook-parts.js';

const row = (...cells: string[]) =>
  `<row>${cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;

const MAPS = row('Email', 'Course ID', 'Completed on') + row('ada@example.org', 'C-1', '2024-01-05');
const NOTES = row('Notes') + row('nothing to see');

const sheetOf = async (sheets: readonly SheetSpec[], settings: Partial<SourceConfig> = {}) => {
  const chosen = await chooseSheet(await openWorkbookOf({ sheets }), {
    ...sourceOf(),
    ...settings,
  });
  if (chosen.kind === 'correction') return chosen.kind;
  return chosen.kind === 'export' ? chosen.sheet : chosen.issues.map(({ code }) => code);
};

describe('the sheet that is read', () => {
  it('is the only visible one with a header that maps, at any place', async () => {
    expect(
      await sheetOf([
        { name: 'Notes', rows: NOTES },
        { name: 'Data', rows: MAPS },
      ]),
    ).toBe('Data');
  });

  it('is never a hidden one by itself', async () => {
    const sheets: SheetSpec[] = [
      { name: 'Old', rows: MAPS, state: 'hidden' },
      { name: 'Older', rows: MAPS, state: 'veryHidden' },
      { name: 'Data', rows: MAPS },
    ];
    expect(await sheetOf(sheets)).toBe('Data');
    expect(await sheetOf(sheets.slice(0, 1).concat({ name: 'Notes', rows: NOTES }))).toEqual([
      'header-missing',
    ]);
  });

  it('is not found where all are hidden', async () => {
    const hidden = sheetOf([{ name: 'Old', rows: MAPS, state: 'hidden' }]);
    await expect(hidden).rejects.toMatchObject({
      message: 'the workbook has no visible sheet (hidden: "Old").',
      hint: 'Set sheet for the source in registrar.yaml to the one to read.',
    });
  });

  it('is the one the source names, hidden or not', async () => {
    const sheets: SheetSpec[] = [
      { name: 'Data', rows: MAPS },
      { name: 'Old', rows: MAPS, state: 'hidden' },
    ];
    expect(await sheetOf(sheets, { sheet: 'Old' })).toBe('Old');
  });

  it('must be named where two could be it', async () => {
    const opened = await openWorkbookOf({
      sheets: [
        { name: 'May', rows: MAPS },
        { name: 'June', rows: MAPS },
      ],
    });
    expect(await chooseSheet(opened, sourceOf())).toMatchObject({
      kind: 'refused',
      issues: [
        {
          code: 'sheet-ambiguous',
          message: expect.stringContaining('"May", "June"'),
          remedy: expect.stringContaining('sheet'),
        },
      ],
    });
  });

  it('that the source names and the workbook lacks is reported with the sheets it has', async () => {
    const opened = await openWorkbookOf({ sheets: [{ name: 'May', rows: MAPS }] });
    expect(await chooseSheet(opened, sourceOf({ sheet: 'April' }))).toMatchObject({
      kind: 'refused',
      issues: [{ code: 'header-missing', value: 'April', message: expect.stringContaining('"May"') }],
    });
  });
});

const MORE = row('bob@example.org', 'C-2', '2024-01-06') + row('eve@example.org', 'C-3', '2024-01-07');
const OTHER = row('Course ID', 'Email', 'Completed on') + row('C-1', 'bob@example.org', '2024-01-06');

/** The sheets that are read, with the line of their header, and those that are not; or the issues. */
const sheetsRead = async (sheets: readonly SheetSpec[], settings: Record<string, unknown> = {}) => {
  const planned = await planDrop(await openWorkbookOf({ sheets }), sourceOf(settings));
  if (planned.kind !== 'export') return planned.kind === 'refused' ? planned.issues : [];
  const read = [planned, ...planned.further].map(({ sheet, header }) => `${sheet}:${header.line}`);
  return { read, left: planned.sheetsLeft.map(({ name }) => name) };
};

describe('sheets beside the one with the header', () => {
  const export1 = { name: 'Export', rows: MAPS };
  const export2 = { name: 'Export (2)', rows: MORE };

  it.each([
    ['under no header at all', [export1, export2]],
    ['below a title', [export1, { name: 'Export (2)', rows: row('continued') + MORE }]],
    ['before it', [export2, export1]],
    [
      'as formulas without values',
      [export1, { name: 'Export (2)', rows: '<row><c><f>A1</f></c><c><f>A2</f></c><c><f>A3</f></c></row>' }],
    ],
  ])('stop the drop where they have rows that could be records, %s', async (_, sheets) => {
    expect(await sheetsRead(sheets)).toMatchObject([
      {
        code: 'sheet-uncounted',
        value: 'Export (2)',
        message: expect.stringMatching(/"Export \(2\)" has no header .* those of "Export"/),
        remedy: expect.stringContaining('sheets: ["Export", "Export (2)"]'),
      },
    ]);
    // What it says is enough.
    expect(await sheetsRead(sheets, { sheet: 'Export' })).toEqual({
      read: ['Export:1'],
      left: ['Export (2)'],
    });
    const both = { sheets: sheets.map(({ name }) => name) };
    if (sheets[0] === export1) {
      expect(await sheetsRead(sheets, both)).toEqual({ read: ['Export:1', 'Export (2):0'], left: [] });
    }
  });

  it('are named and stop nothing where they hold something else', async () => {
    const others = [
      { name: 'Notes', rows: NOTES },
      { name: 'Pivot', rows: row('Row Labels', 'Count') + row('C-1', '12') + row('Total', '12') },
      { name: 'Lists', rows: row('C-1', 'Fire safety') + row('C-2', 'First aid') },
      { name: 'People', rows: row('Email', 'Name', 'Since') + row('ada@example.org', 'Ada L', '2020-01-01') },
      { name: 'Legend', rows: row('Email', 'the address of the learner') },
      { name: 'Empty', rows: '' },
      { name: 'Raw', rows: MORE, state: 'hidden' as const },
    ];
    expect(await sheetsRead([...others, export1])).toEqual({
      read: ['Export:1'],
      left: ['Notes', 'Pivot', 'Lists', 'People', 'Legend'],
    });
  });

  it('are read in the order of the workbook by names and patterns, those without rows left out', async () => {
    const sheets = [
      { name: 'Notes', rows: NOTES },
      export1,
      export2,
      { name: 'EXPORT (3)', rows: MAPS },
      { name: 'Export (4)', rows: '' },
      { name: 'Export (5)', rows: MORE, state: 'hidden' as const },
    ];
    const read = ['Export:1', 'Export (2):0', 'EXPORT (3):1'];
    expect(await sheetsRead(sheets, { sheets: ['Export (*)', 'Export'] })).toEqual({ read, left: ['Notes'] });
    expect(await sheetsRead(sheets, { sheets: ['Export*', 'Export (5)'] })).toMatchObject({
      read: [...read, 'Export (5):0'],
    });
  });

  it('that a source names must be there, and one at least must fit its patterns', async () => {
    const issue = { code: 'header-missing', message: expect.stringContaining('it has "Export"') };
    expect(await sheetsRead([export1], { sheets: ['Export', 'Export (2)'] })).toMatchObject([
      { ...issue, value: 'Export (2)' },
    ]);
    expect(await sheetsRead([export1], { sheets: ['Data*', 'Page ?'] })).toMatchObject([
      { ...issue, value: 'Data*, Page ?' },
    ]);
  });

  it('go on with the same header alone', async () => {
    const sheets = [export1, { name: 'Other', rows: OTHER }];
    expect(await sheetsRead(sheets, { sheets: ['*'] })).toMatchObject([
      {
        code: 'sheet-ambiguous',
        value: 'Other',
        message: expect.stringContaining('differs from that of "Export"'),
      },
    ]);
    const repeated = { name: 'Page 2', rows: row('Page 2') + MAPS };
    expect(await sheetsRead([export1, repeated], { sheets: ['*'] })).toMatchObject({
      read: ['Export:1', 'Page 2:2'],
    });
  });

  it('lose no rows above a header which is repeated further down', async () => {
    const sheets = [export1, { name: 'Page 2', rows: MORE + MAPS }];
    expect(await sheetsRead(sheets, { sheets: ['*'] })).toMatchObject({ read: ['Export:1', 'Page 2:0'] });
  });

  it('prove the order of day and month together', async () => {
    const dated = (name: string, date: string) => ({ name, rows: row('ada@example.org', 'C-1', date) });
    const sheets = [
      {
        name: 'A',
        rows: row('Email', 'Course ID', 'Completed on') + row('ada@example.org', 'C-1', '03/04/2024'),
      },
      dated('B', '13/04/2024'),
      dated('C', '04/14/2024'),
    ];
    const orders = async (names: readonly string[]) => {
      const opened = await openWorkbookOf({ sheets });
      const planned = await planDrop(opened, sourceOf({ sheets: names }), 'sample');
      if (planned.kind === 'refused') return planned.issues;
      return planned.kind === 'export' ? planned.profile.dateOrders : null;
    };
    expect(await orders(['A', 'B'])).toEqual({ 'completed-at': 'day-first' });
    expect(await orders(['A', 'C'])).toEqual({ 'completed-at': 'month-first' });
    expect(await orders(['*'])).toMatchObject([
      { code: 'date-order-unknown', message: expect.stringMatching(/^on the sheets "A", "B", "C" together/) },
    ]);
  });
});

describe('the settings of a plan', () => {
  const settingsOf = async (settings: Record<string, unknown>) => {
    const plan = await planDrop(await openContent(csvOf(exportRows(2))), sourceOf(settings));
    if (plan.kind !== 'export') throw new Error('no plan');
    return plan.settings;
  };

  it.each([
    [{ timeZone: 'Asia/Tokyo' }, true],
    [{ dateOrder: 'day-first' }, true],
    [{ defaults: { 'content-type': 'Video' } }, true],
    [{ environment: 'other' }, true],
    [{ inbox: '/elsewhere' }, false],
    [{ match: '*.csv' }, false],
    [{ stableFor: '1m' }, false],
    [{ control: { rows: { min: 1 } } }, false],
  ])('with %j are others: %s', async (settings, differ) => {
    expect((await settingsOf(settings)) !== (await settingsOf({}))).toBe(differ);
  });

  it('hold the profile under the names that ledgers have digests of', async () => {
    const rows = ['13/01/2024 10:00,85', '14/01/2024 11:00,90', '15/01/2024 12:00,95'];
    const content = [
      'Email,Course ID,Completed on,Score',
      'all times are UTC,,,',
      ...rows.map((cells, index) => `p${index}@example.org,0012${index},${cells}`),
    ].join('\n');
    expect(JSON.stringify(await planDrop(await openContent(content), sourceOf()))).toContain(
      JSON.stringify({
        dateOrders: { 'completed-at': 'day-first' },
        scales: { percentile: { line: 3, text: '85' } },
        shapes: { 'content-id': { width: 5, datesAreCodes: true } },
        isWhole: true,
        issues: [],
        cells: { usual: 4, kinds: ['e', 'n', 'd', 'n'], leavesOutBlanks: false },
        zoneNotes: [{ words: 'UTC', text: 'all times are UTC', line: 2 }],
      }),
    );
  });
});

it('no more rows than requested are read to find the header', async () => {
  expect(await sampleRows(await openContent(csvOf(exportRows(500))))).toHaveLength(60);
  expect(await sampleRows(await openContent(csvOf(exportRows(3))), undefined, 10)).toHaveLength(4);
});
