import { describe, expect, it, test } from 'vitest';
import { submitCompletion } from '../../../src/operations/submit-completion.js';
import { headerDrift, mappingText } from '../../../src/reading/known-mapping.js';
import { headerOf, sourceWith } from '../builders.js';

const HEADER = ['Email', 'Course ID', 'Completed on', 'Score'];

const saved = (header: readonly string[], settings: Record<string, unknown> = {}) => {
  const found = headerOf([header], sourceWith(settings));
  const mapping = Object.entries(found.match.mapped).map(([field, column]) => [field, column.header]);
  return { file: 'march.csv', header, mapping: Object.fromEntries(mapping) as Record<string, string> };
};

/** The differences, as the sentence has them. */
function drift(
  was: readonly string[],
  is: readonly string[],
  settings: Record<string, unknown> = {},
): string | null {
  const [issue, ...more] = headerDrift(
    saved(was),
    headerOf([is], sourceWith(settings)),
    submitCompletion,
    sourceWith(settings),
  );
  expect(more).toEqual([]);
  return issue?.message.replace(/^.*\(march\.csv\): /, '') ?? null;
}

describe('no drift is', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['the same header', HEADER, HEADER],
    ['another order of columns', HEADER, HEADER.toReversed()],
    [
      'other case, spaces and decoration',
      HEADER,
      ['E-MAIL', 'course_id', 'Completed on*', 'Score (required)'],
    ],
    ['a new column that is no field', HEADER, [...HEADER, 'Team']],
    ['a title, which is never sent, that is gone', [...HEADER, 'Course Title'], HEADER],
    ['a title, which is never sent, from another column', [...HEADER, 'Course Title'], [...HEADER, 'Course']],
    ['a column that was no field and is gone', [...HEADER, 'Team'], HEADER],
    [
      'another name of the zone',
      [...HEADER.slice(0, 2), 'Completed on (UTC)'],
      ['Email', 'Course ID', 'Completed on (PST/PDT)'],
    ],
  ])('%s', (_, was, is) => {
    expect(drift(was, is)).toBeNull();
  });
});

describe('drift is', () => {
  it.each<[string, readonly string[], readonly string[], string]>([
    [
      'a field from another header, the old one being gone',
      HEADER,
      ['Email', 'Course ID', 'Finish Date', 'Score'],
      'completed-at came from "Completed on" and would now come from "Finish Date"',
    ],
    [
      'a field from another header, the old one being there',
      HEADER,
      ['Email', 'Course ID', 'Completed on', 'Completion Date', 'Score'],
      'completed-at came from "Completed on" and would now come from "Completion Date"',
    ],
    [
      'an optional column that is gone, with the new ones',
      HEADER,
      ['Email', 'Course ID', 'Completed on', 'Scores'],
      'percentile came from "Score" and would now come from no column; new columns that are not used: "Scores"',
    ],
    [
      'a status that is gone, because it says which rows are completions',
      [...HEADER, 'Status'],
      HEADER,
      'status came from "Status" and would now come from no column',
    ],
    [
      'an optional column that is gone without trace',
      HEADER,
      HEADER.slice(0, 3),
      'percentile came from "Score" and would now come from no column',
    ],
    [
      'a new column that is a field',
      HEADER,
      [...HEADER, 'Status', 'Team'],
      'status came from no column and would now come from "Status"; new columns that are not used: "Team"',
    ],
    [
      'an old column that becomes a field',
      ['Email', 'Work Email', 'Course ID', 'Completed on'],
      ['Work Email', 'Course ID', 'Completed on'],
      'user-id came from "Email" and would now come from "Work Email"',
    ],
    [
      'a header that has lost the zone of its times',
      ['Email', 'Course ID', 'Completed on (UTC)'],
      ['Email', 'Course ID', 'Completed on'],
      'completed-at came from "Completed on (UTC)" and would now come from "Completed on"',
    ],
    [
      'a header that names a zone now',
      ['Email', 'Course ID', 'Completed on'],
      ['Email', 'Course ID', 'Completed on (UTC)'],
      'completed-at came from "Completed on" and would now come from "Completed on (UTC)"',
    ],
    [
      'all of it at once',
      HEADER,
      ['Work Email', 'Course ID', 'Completed on'],
      'user-id came from "Email" and would now come from "Work Email"; percentile came from "Score" and would now come from no column',
    ],
  ])('%s', (_, was, is, words) => {
    expect(drift(was, is)).toBe(words);
  });

  test('is reported with line, source, file and both remedies', () => {
    const [issue] = headerDrift(
      saved(HEADER),
      headerOf([['Report'], HEADER.slice(0, 3)]),
      submitCompletion,
      sourceWith(),
    );
    expect(issue).toMatchObject({ code: 'header-drift', column: 'Score' });
    expect(issue?.message).toMatch(/^the header in line 2 .* source academy \(march\.csv\): /);
    expect(issue?.remedy).toContain('columns: { percentile: … }');
    expect(issue?.remedy).toContain('registrar run --confirm academy');
  });
});

describe('what the source names in columns', () => {
  test('is its own word: another column is no drift', () => {
    const is = ['Email', 'Course ID', 'Finish Date', 'Score'];
    expect(drift(HEADER, is, { columns: { 'completed-at': 'Finish Date' } })).toBeNull();
  });

  test('is its own word where it says that no column is the field any more', () => {
    expect(drift(HEADER, HEADER, { columns: { percentile: null } })).toBeNull();
  });

  test('says nothing about the zone of its times', () => {
    const was = ['Email', 'Course ID', 'Completed on (UTC)'];
    const is = ['Email', 'Course ID', 'Completed on'];
    expect(drift(was, is, { columns: { 'completed-at': 'Completed on (UTC)' } })).toContain(
      'would now come from "Completed on"',
    );
  });
});

test('headers between which there is no drift have one text, others have others', () => {
  const text = (header: readonly string[]) => mappingText(headerOf([header]).match, submitCompletion);
  expect(text(HEADER.toReversed())).toBe(text(['E-mail', 'Team', ...HEADER.slice(1)]));
  expect(text([...HEADER, 'Course Title'])).toBe(text(HEADER));
  expect(text(HEADER.slice(0, 3))).not.toBe(text(HEADER));
  expect(text(['Email', 'Course ID', 'Completed on (UTC)'])).not.toBe(text(HEADER.slice(0, 3)));
});
