import { describe, expect, test } from 'vitest';
import type { Cell, Row } from '../../../src/domain/row.js';
import { inferMapping } from '../../../src/normalise/infer/infer-mapping.js';
import { createRowNormaliser } from '../../../src/normalise/normalise-row.js';
import { submitCompletion } from '../../../src/operations/submit-completion.js';
import { profileDrop, profileSample } from '../../../src/reading/table.js';
import { clockAt, headerOf, normaliseFile, rowsOf, sourceWith } from '../builders.js';

const HEADER = ['Email', 'Course ID', 'Completed on'];
const URL_A = 'https://learn.example/a';

const linesOf = (ids: readonly Cell[]): Cell[][] => [
  HEADER,
  ...ids.map((id) => ['ann@example.com', id, '2024-03-01']),
];

async function* inBatches(rows: readonly Row[]): AsyncIterable<readonly Row[]> {
  yield rows;
}

const profiled = (ids: readonly Cell[], settings: Record<string, unknown> = {}) => {
  const lines = linesOf(ids);
  const source = sourceWith({ timeZone: 'UTC', ...settings });
  return profileDrop(inBatches(rowsOf(lines)), headerOf(lines, source), submitCompletion, source);
};

const codes = (issues: readonly { readonly code: string }[]) => issues.map(({ code }) => code);

describe('addresses of pages as content ids', () => {
  test('are of type ContentUrl where the source says nothing', async () => {
    const lines = linesOf([URL_A, 'HTTP://learn.example/b?x=1']);
    const source = sourceWith({ timeZone: 'UTC' });
    const profile = await profiled([URL_A, 'HTTP://learn.example/b?x=1']);
    expect(normaliseFile(lines, source, profile)[1]).toMatchObject({
      record: { fields: { 'content-id': URL_A, 'content-id-type': 'ContentUrl' } },
    });
  });

  test('are of the type that the source says', async () => {
    for (const type of ['ExternalId', 'ContentUrl']) {
      const { issues, implied } = await profiled([URL_A, 'C-1'], { defaults: { 'content-id-type': type } });
      expect([issues, implied]).toEqual([[], {}]);
    }
  });

  test('among other identifiers refuse the drop with both', async () => {
    const { issues } = await profiled(['C-1', URL_A]);
    expect(codes(issues)).toEqual(['identifier-type-unclear']);
    expect(issues[0]?.message).toContain(
      '("https://learn.example/a" in line 3) and other identifiers ("C-1" in line 2)',
    );
  });

  test('are nothing that other identifiers are taken for', async () => {
    const { implied, issues } = await profiled([
      'http',
      'httpd-course',
      'urn:li:course:1',
      'www.example.com',
      12,
    ]);
    expect([implied, issues]).toEqual([{}, []]);
  });

  test.each<[string, Cell[], Cell | null | 'whole' | 'none']>([
    ['a code behind them', [URL_A, URL_A, 'C-1'], 'C-1'],
    ['one behind codes', ['C-1', 'C-2', URL_A], URL_A],
    ['no first value', [null, 'C-1', 'C-2'], null],
    ['nothing else', [URL_A, URL_A, URL_A], 'none'],
    ['none', ['C-1', 'C-2', 'C-3'], 'none'],
  ])('with a profile of the first rows: %s', (_, ids, expected) => {
    const rows = rowsOf(linesOf(ids));
    const source = sourceWith({ timeZone: 'UTC' });
    const header = headerOf(linesOf(ids), source);
    const profile = profileSample(rows.slice(0, 3), header, submitCompletion, source);
    if (profile === null) return expect(expected).toBe('whole');
    const normalise = createRowNormaliser(
      submitCompletion,
      source,
      header,
      profile,
      clockAt('2024-12-31T00:00:00Z'),
    );
    const row = rows.find((one) => normalise(one).disposition === 'undecided');
    expect(row === undefined ? 'none' : row.cells[1]).toBe(expected);
  });

  test('are proposed as ContentUrl by a sample', () => {
    const inferred = inferMapping(HEADER, linesOf([URL_A]).slice(1), submitCompletion);
    expect(inferred.defaults).toContainEqual({
      field: 'content-id-type',
      value: 'ContentUrl',
      reason: 'the values of "Course ID" are addresses of pages',
      confirm: false,
    });
  });
});
