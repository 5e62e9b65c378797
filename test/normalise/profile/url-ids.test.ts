import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../src/domain/row.js';
import { inferMapping } from '../../../src/normalise/infer/infer-mapping.js';
import { NO_PROFILE } from '../../../src/normalise/profile/profile.js';
import { submitCompletion } from '../../../src/operations/submit-completion.js';
import { normaliseFile, sourceWith } from '../builders.js';

const HEADER = ['Email', 'Course ID', 'Completed on'];
const URL_A = 'https://learn.example/a';

const linesOf = (ids: readonly Cell[]): Cell[][] => [
  HEADER,
  ...ids.map((id) => ['ann@example.com', id, '2024-03-01']),
];

const normalised = (ids: readonly Cell[], settings: Record<string, unknown> = {}) =>
  normaliseFile(linesOf(ids), sourceWith({ timeZone: 'UTC', ...settings }), NO_PROFILE).slice(1);

describe('addresses of pages as content ids', () => {
  test('are refused where nothing says the type of ids, with the setting that does', () => {
    const [url, code, upper] = normalised([URL_A, 'C-1', 'HTTP://learn.example/b?x=1']);
    expect(code).toMatchObject({ record: { fields: { 'content-id-type': 'ExternalId' } } });
    for (const row of [url, upper])
      expect(row).toMatchObject({
        disposition: 'invalid',
        issues: [{ code: 'identifier-type-unclear', column: 'Course ID' }],
      });
    expect(url).toHaveProperty('issues.0.remedy', expect.stringContaining('{ content-id-type: ContentUrl }'));
  });

  test('are of the type that the source says', () => {
    for (const type of ['ExternalId', 'ContentUrl']) {
      const [row] = normalised([URL_A], { defaults: { 'content-id-type': type } });
      expect(row).toMatchObject({ record: { fields: { 'content-id': URL_A, 'content-id-type': type } } });
    }
  });

  test('are nothing that other identifiers are taken for', () => {
    const rows = normalised(['http', 'httpd-course', 'urn:li:course:1', 'www.example.com', 12]);
    expect(rows.map(({ disposition }) => disposition)).toEqual(Array(5).fill('record'));
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
