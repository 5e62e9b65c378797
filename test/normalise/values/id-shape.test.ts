import { describe, expect, test } from 'vitest';
import type { Cell, Row } from '../../../src/domain/row.js';
import { createRowNormaliser } from '../../../src/normalise/normalise-row.js';
import { submitCompletion } from '../../../src/operations/submit-completion.js';
import { clockAt, headerOf, profileDrop, profileSample, rowsOf, sourceWith } from '../builders.js';

const source = sourceWith({ timeZone: 'UTC', dateOrder: 'day-first' });
const clock = clockAt('2024-12-31T00:00:00Z');

function fileOf(ids: readonly Cell[]): Row[] {
  const rows = ids.map((id) => ['ann@example.com', id, '2024-03-01']);
  return rowsOf([['Email', 'Course ID', 'Completed on'], ...rows]);
}

async function* inBatches(rows: readonly Row[]): AsyncIterable<readonly Row[]> {
  yield rows;
}

/** The ids of a file that are refused as damaged, as the file has them. */
async function damaged(ids: readonly Cell[]): Promise<Cell[]> {
  const rows = fileOf(ids);
  const header = headerOf(rows.map(({ cells }) => cells));
  const profile = await profileDrop(inBatches(rows), header, submitCompletion, source);
  const normalise = createRowNormaliser(submitCompletion, source, header, profile, clock);
  return rows.slice(1).flatMap((row) => {
    const result = normalise(row);
    if (result.disposition === 'record') return [];
    expect(result).toMatchObject({ disposition: 'invalid', issues: [{ code: 'identifier-damaged' }] });
    return [row.cells[1] ?? null];
  });
}

describe('a number among identifiers with zeros in front', () => {
  test.each<[string, Cell[], Cell[]]>([
    ['a number cell', ['00123', '00124', 125], [125]],
    ['a text', ['00123', '12345', '125', 'A-7'], ['125']],
    ['among employees of seven digits', ['0001234', 1235, '0001236', 1234567], [1235]],
  ])('has lost its own: %s', async (_, ids, expected) => {
    expect(await damaged(ids)).toEqual(expected);
  });

  test.each<[string, Cell[]]>([
    ['as wide as they are', ['00123', 12345, '00124']],
    ['wider', ['00123', '123456']],
    ['where none has zeros', [1, 20, 300]],
    ['where they have several widths', ['007', '0012', 5]],
    ['where one alone has zeros', ['00123', 1, 2, 3]],
    ['with a letter', ['00123', '00124', 'A1']],
  ])('has not: %s', async (_, ids) => {
    expect(await damaged(ids)).toEqual([]);
  });
});

describe('a date as spreadsheets show it', () => {
  test.each<[Cell]>([
    ['3-Apr'],
    ['Mar-24'],
    ['Apr 3'],
    ['03. Apr'],
    ['avr.-24'],
    ['3-Apr-24'],
    ['04/03/2024'],
    ['2024-04-03'],
  ])('was a code where the others are codes: %j', async (id) => {
    expect(await damaged(['C-1', '3-14', id, 'C-2'])).toEqual([id]);
  });

  test.each<[string, Cell[]]>([
    ['where all are such', ['Mar-24', 'Apr-24', 'Sep-23']],
    ['in capitals', ['MAR-24', 'NAV-24', 'C-1']],
    ['with more around it', ['C-1', 'C-2', 'Mar-24-B', 'Marine-24']],
  ])('is a name %s', async (_, ids) => {
    expect(await damaged(ids)).toEqual([]);
  });
});

test('the sentence says what the others show and what to do', async () => {
  const rows = fileOf(['00123', '00124', 125]);
  const header = headerOf(rows.map(({ cells }) => cells));
  const profile = await profileDrop(inBatches(rows), header, submitCompletion, source);
  const row = createRowNormaliser(submitCompletion, source, header, profile, clock)(rows[3] as Row);
  expect(row).toMatchObject({
    issues: [
      {
        message: 'Course ID "125" has lost its zeros: the others that begin with zero have 5 digits',
        remedy: 'format the column as text in the system that writes the file and export it again',
      },
    ],
  });
});

describe('with a profile of the first rows', () => {
  const firstUndecided = (ids: readonly Cell[]) => {
    const rows = fileOf(ids);
    const header = headerOf(rows.map(({ cells }) => cells));
    const profile = profileSample(rows.slice(0, 4), header, submitCompletion, source);
    if (profile === null) return 'whole';
    const normalise = createRowNormaliser(submitCompletion, source, header, profile, clock);
    return rows.find((row) => normalise(row).disposition === 'undecided')?.cells[1] ?? null;
  };

  test.each<[string, Cell[], Cell | 'whole']>([
    ['the shorter one comes', ['00123', '00124', '00125', '00126', 125], 125],
    ['the first with zeros comes after others', ['123', '124', '125', '126', '00127'], '00127'],
    ['one of another width comes', ['00123', '00124', '00125', '007'], '007'],
    ['a date comes', ['C-1', 'C-2', 'C-3', 'C-4', '3-Apr'], '3-Apr'],
    ['the sample has both', ['00123', 125, 'x'], 'whole'],
  ])('the column needs confirmation where %s', (_, ids, expected) => {
    expect(firstUndecided(ids)).toBe(expected);
  });

  test('plain codes need no confirmation', () => {
    expect(firstUndecided(['C-1', '12', 'C-3', 5, 600, 'C-7'])).toBeNull();
    expect(firstUndecided(['00123', '00124', '00125', '00126', '99999', 'A'])).toBeNull();
  });
});
