import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../src/domain/row.js';
import { readChoice } from '../../../src/normalise/values/text.js';

const read = (cell: Cell) => readChoice(cell, { column: 'Type', choices: ['course', 'ExternalId'] });

describe('a choice is sent in its own casing', () => {
  test.each(['ExternalId', 'externalid', ' EXTERNALID ', 'External ID', 'external_id', 'external-id'])(
    '%j',
    (cell) => {
      expect(read(cell)).toEqual({ value: 'ExternalId' });
    },
  );

  test.each<[Cell]>([['Curriculum'], [5], [{ error: '#N/A' }]])(
    '%j is refused, and the choices are named',
    (cell) => {
      const reading = read(cell);
      expect(reading).toMatchObject({ issue: { code: 'choice-invalid', column: 'Type' } });
      expect('issue' in reading && reading.issue.remedy).toBe('use one of course, ExternalId');
    },
  );

  test.each([null, '', '\u200b'])('%j says nothing', (cell) => {
    expect(read(cell)).toEqual({ value: null });
  });
});
