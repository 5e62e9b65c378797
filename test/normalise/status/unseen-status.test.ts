import { describe, expect, test } from 'vitest';
import type { Cell, Row } from '../../../src/domain/row.js';
import { addSkills } from '../../../src/operations/relate-skills.js';
import { submitCompletion } from '../../../src/operations/submit-completion.js';
import { firstUndecided, headerOf, normaliseFile, profileDrop, rowsOf, sourceWith } from '../builders.js';

/** A file with one column more, named so, and one row for each of its cells. */
function fileWith(name: string, cells: readonly Cell[]): Cell[][] {
  const rows = cells.map((cell, index) => [`p${index}@example.com`, `C-${index % 3}`, '2024-03-14', cell]);
  return [['Email', 'Course ID', 'Completed on', name], ...rows];
}

async function* inBatches(rows: readonly Row[]): AsyncIterable<readonly Row[]> {
  yield rows;
}

async function issueOf(lines: readonly (readonly Cell[])[], settings: Record<string, unknown> = {}) {
  const source = sourceWith(settings);
  const { issues } = await profileDrop(
    inBatches(rowsOf(lines)),
    headerOf(lines, source),
    submitCompletion,
    source,
  );
  expect(issues.length).toBeLessThan(2);
  return issues[0] ?? null;
}

const isRefused = async (name: string, cells: readonly Cell[], settings: Record<string, unknown> = {}) =>
  (await issueOf(fileWith(name, cells), settings))?.code ?? null;

const repeat = (cell: Cell, times: number): Cell[] => Array<Cell>(times).fill(cell);

describe('a column that no field is mapped to refuses the drop', () => {
  test.each<[string, string, Cell[]]>([
    ['words of failing', 'Course outcome at site', ['Passed', 'Failed', 'Passed']],
    ['words of failing under a header that says nothing', 'XYZ', ['Completed', 'In progress']],
    ['German words', 'Vermerk', ['bestanden', 'nicht bestanden']],
    ['French words', 'Bilan', ['Réussi', 'Échoué']],
    ['words with more behind them', 'XYZ', ['Passed', 'Failed (2nd attempt)']],
    ['nothing but words of failing', 'Mark', ['Failed', 'No show']],
    ['failures alone, the others blank', 'Remark', [null, null, 'Failed', null]],
    ['a word of failing among grades', 'Level', ['Merit', 'Distinction', 'Failed', 'Merit', 'Merit']],
    ['typing errors among the words', 'XYZ', [...repeat('Passed', 20), 'Failed', 'Pased', 'x1']],
    ['states of which none is a completion', 'Training state', ['Registered', 'Approved', 'Pending']],
    ['used for much else, beside completed', 'XYZ', ['Completed', 'Pending']],
    ['what a policy decides', 'Course Status (new)', ['Completed', 'Exempt']],
    ['yes and no', 'Passed the test (Y/N)', ['Y', 'N']],
    ['ja and nein', 'Test bestanden?', ['Ja', 'Nein']],
    ['oui and non', 'Réussi', ['oui', 'non']],
    ['sí and no', 'Aprobado', ['Sí', 'No']],
    ['truth values', 'Has Completed', [true, false]],
    ['1 and 0', 'Attended', [1, 0]],
    ['marks and blanks', 'Teilnahme', ['x', null]],
    ['yes and blanks', 'Complete', ['Yes', null, 'Yes']],
    ['completed and blanks', 'Outcome', ['Passed', null]],
    ['completed and an unknown word', 'Ergebnis laut Prüfer', ['bestanden', 'bestanden', 'u.V.']],
    ['yes for those who failed', 'Failed?', ['Yes', 'No']],
    ['Japanese yes and no', '合格', ['はい', 'いいえ']],
  ])('for %s', async (_, name, cells) => {
    expect(await isRefused(name, cells)).toBe('status-unseen');
  });

  test('for words of failing in a column without a name, which has to get one', async () => {
    const issue = await issueOf([
      ['Email', 'Course ID', '', 'Completed on'],
      ['a@example.com', 'C-1', 'Completed', '2024-03-14'],
      ['b@example.com', 'C-1', 'Withdrawn', '2024-03-14'],
    ]);
    expect(issue?.message).toContain('column 3, which has no name, seems to say who has not completed');
    expect(issue?.remedy).toContain('give the column a name in the file');
  });
});

describe('no confirmation is needed', () => {
  test.each<[string, string, Cell[]]>([
    ['words of completion alone', 'Outcome', ['Passed', 'Completed', 'passed']],
    ['yes alone', 'Attended', ['Yes', 'Yes']],
    ['a rule', 'Mandatory', ['Yes', 'No']],
    ['a role', 'Manager', ['No', 'Yes']],
    ['a person', 'Active', ['TRUE', 'FALSE']],
    ['an employment', 'Employment status', ['Active', 'Suspended']],
    ['an approval', 'Approval status', ['Approved', 'Pending', 'Requested']],
    ['a way in', 'Enrolment type', ['Assigned', 'Self', 'Registered']],
    ['a certificate', 'Certificate issued', ['Yes', 'No']],
    ['a travel document', 'Passport checked', ['Yes', 'No']],
    ['a talk', 'Presentation held', ['Yes', 'No']],
    ['an assignment', 'Assigned by', ['Assigned', 'Assigned']],
    ['numbers', 'Attempts completed', [1, 0, 3, 2]],
    ['dates', 'Date passed', ['2024-03-14', '2024-03-15']],
    ['a country', 'Country', ['NO', 'SE']],
    ['a state of America', 'State', ['NE', 'NE']],
    ['kinds of cells', 'State', ['0 (numeric)', '1 (numeric)']],
    [
      'remarks',
      'Remarks',
      ['Failed', ...Array.from({ length: 30 }, (_, index) => `talked to number ${index}`)],
    ],
  ])('%s', async (_, name, cells) => {
    expect(await isRefused(name, cells)).toBeNull();
  });

  test('columns of a file whose status is known, given or said to be in no column', async () => {
    const cells = ['Passed', 'Failed'];
    expect(await isRefused('Outcome', cells, { columns: { status: 'Outcome' } })).toBeNull();
    expect(await isRefused('Outcome', cells, { columns: { status: null } })).toBeNull();
    expect(await isRefused('Outcome', cells, { defaults: { status: 'Completed' } })).toBeNull();
    expect(await isRefused('Status', cells)).toBeNull();
    expect(await isRefused('Enrolment status', cells)).toBeNull();
    expect(await isRefused('Course Status', cells)).toBeNull();
  });

  test('blanks of rows that name no learner', async () => {
    const lines = [
      ...fileWith('Attended', ['Yes', 'Yes']),
      [null, null, null, null],
      ['', 'end of list', '', ''],
    ];
    expect(await issueOf(lines)).toBeNull();
  });

  test('columns of an operation that has no status', async () => {
    const lines = [
      ['Course ID', 'Skill', 'State'],
      ['C-1', 'Welding', 'Failed'],
    ];
    const source = sourceWith({ operation: 'add-skills' });
    const header = {
      line: 1,
      columns: lines[0] ?? [],
      match: {
        mapped: {},
        unmapped: [],
        implied: {},
        problems: [],
        ambiguous: [],
        preset: null,
        tiedPresets: [],
      },
    };
    expect((await profileDrop(inBatches(rowsOf(lines)), header, addSkills, source)).issues).toEqual([]);
  });
});

describe('the sentence', () => {
  test('names the column, its words with their counts, and both ways out', async () => {
    const issue = await issueOf(fileWith('Outcome', ['Passed', 'Failed', 'Passed', 'Withdrawn', 'Failed']));
    expect(issue).toEqual({
      code: 'status-unseen',
      column: 'Outcome',
      value: 'Failed',
      message:
        'no column is mapped as status, and "Outcome" seems to say who has not completed: "Failed" (2, first in line 3), "Withdrawn" (1, first in line 5), "Passed" (2)',
      remedy:
        'say for the source in registrar.yaml what it is: columns: { status: "Outcome" }; or columns: { status: null } where no column says so',
    });
  });

  test.each<[string, string, Cell[], Record<string, unknown>, string[]]>([
    ['words', 'Outcome', ['Passed', 'Failed'], {}, ['record', 'skipped']],
    [
      'yes for those who failed',
      'Failed?',
      ['Yes', 'No'],
      { status: { completed: ['No'], notCompleted: ['Yes'] } },
      ['skipped', 'record'],
    ],
  ])('gives a remedy that works for %s', async (_, name, cells, further, dispositions) => {
    const lines = fileWith(name, cells);
    const issue = await issueOf(lines);
    const settings = { columns: { status: name }, ...further };
    expect(issue?.remedy).toContain(`columns: { status: ${JSON.stringify(name)} }`);
    for (const [key, value] of Object.entries(further)) {
      expect(issue?.remedy.replaceAll('"', '')).toContain(`${key}: ${yamlOf(value)}`);
    }
    expect(await issueOf(lines, settings)).toBeNull();
    const rows = normaliseFile(lines, sourceWith({ timeZone: 'UTC', ...settings })).slice(1);
    expect(rows.map(({ disposition }) => disposition)).toEqual(dispositions);
  });
});

function yamlOf(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('"', '')
    .replace(/^\{/, '{ ')
    .replace(/\}$/, ' }')
    .replace(/([:,])(?=\S)/g, '$1 ');
}

describe('with a profile of the first rows', () => {
  const source = sourceWith({ timeZone: 'UTC', dateOrder: 'day-first' });
  const readThrough = (lines: readonly (readonly Cell[])[], sampled: number) =>
    firstUndecided(rowsOf(lines), sampled, source);

  test('a word of failing far below requests the whole drop', () => {
    const late = fileWith('Outcome', [...repeat('Passed', 100), 'Failed', 'Passed']);
    expect(readThrough(late, 60)).toBe(102);
    expect(readThrough(fileWith('Remark', [...repeat(null, 100), 'Failed']), 60)).toBe(102);
    expect(readThrough(fileWith('Outcome', ['Passed', 'Failed']), 60)).toBe('whole');
  });

  test('a column of other texts is not watched any further', () => {
    const remarks = Array.from({ length: 60 }, (_, index) => `remark ${index}`);
    expect(readThrough(fileWith('Remark', [...remarks, 'Failed']), 60)).toBeNull();
    expect(readThrough(fileWith('Outcome', repeat('Passed', 100)), 60)).toBeNull();
  });
});
