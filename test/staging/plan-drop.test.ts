import { describe, expect, it } from 'vitest';
import type { SourceConfig } from '../../src/config/schema.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { chooseSheet, planDrop, sampleRows } from '../../src/staging/plan-drop.js';
import { csvOf, exportRows } from '../support/exports.js';
import { openContent, openWorkbookOf } from '../support/open-content.js';
import type { SheetSpec } from '../support/workbook-parts.js';
import { sourceOf } from './staging-bench.js';

const row = (...cells: string[]) =>
  `<row>${cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;

const MAPS = row('Email', 'Course ID', 'Completed on') + row('ada@example.org', 'C-1', '2024-01-05');
const NOTES = row('Notes') + row('nothing to see');

const sheetOf = async (sheets: readonly SheetSpec[], settings: Partial<SourceConfig> = {}) => {
  const chosen = await chooseSheet(await openWorkbookOf({ sheets }), submitCompletion, {
    ...sourceOf(),
    ...settings,
  });
  if ('kind' in chosen) return chosen.kind;
  return 'header' in chosen ? chosen.sheet : chosen.map(({ code }) => code);
};

describe('the sheet that is read', () => {
  it('is the only visible one with a header that maps, wherever it stands', async () => {
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
    expect(await chooseSheet(opened, submitCompletion, sourceOf())).toMatchObject([
      {
        code: 'sheet-ambiguous',
        message: expect.stringContaining('"May", "June"'),
        remedy: expect.stringContaining('sheet'),
      },
    ]);
  });

  it('that the source names and the workbook has not is told with those it has', async () => {
    const opened = await openWorkbookOf({ sheets: [{ name: 'May', rows: MAPS }] });
    expect(await chooseSheet(opened, submitCompletion, sourceOf({ sheet: 'April' }))).toMatchObject([
      { code: 'header-missing', value: 'April', message: expect.stringContaining('"May"') },
    ]);
  });
});

describe('the settings of a plan', () => {
  const settingsOf = async (settings: Record<string, unknown>) => {
    const plan = await planDrop(
      await openContent(csvOf(exportRows(2))),
      submitCompletion,
      sourceOf(settings),
    );
    if (!('header' in plan)) throw new Error('no plan');
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
});

it('no more rows than asked for are looked at to find the header', async () => {
  expect(await sampleRows(await openContent(csvOf(exportRows(500))))).toHaveLength(60);
  expect(await sampleRows(await openContent(csvOf(exportRows(3))), undefined, 10)).toHaveLength(4);
});
