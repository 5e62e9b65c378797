import fc from 'fast-check';
import { type ExportRow, exportRow } from './exports.js';

const FEW = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

/**
 * Rows of few learners, courses, times and scores, so that repeats, corrections and older completions abound, with
 * some that are no records.
 */
const randomRow: fc.Arbitrary<ExportRow> = fc
  .record({
    email: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...FEW('learner', 3).map((name) => `${name}@example.org`)) },
      { weight: 2, arbitrary: fc.constant('LEARNER1@Example.ORG') },
      { weight: 1, arbitrary: fc.constantFrom('', 'nobody', 'two@example.org; three@example.org') },
    ),
    course: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...FEW('COURSE-', 2)) },
      { weight: 1, arbitrary: fc.constant('') },
    ),
    at: fc.oneof(
      {
        weight: 12,
        arbitrary: fc.constantFrom('2024-01-05 08:00:00', '2024-02-05 08:00:00', '2024-03-05T07:00:00Z'),
      },
      { weight: 1, arbitrary: fc.constantFrom('', 'soon', '2024-02-30') },
    ),
    score: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(null, 0, 55, 92.5) },
      { weight: 1, arbitrary: fc.constant(400) },
    ),
    status: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom('Completed', 'passed') },
      { weight: 2, arbitrary: fc.constantFrom('Not started', 'waived', 'odd word') },
    ),
  })
  .map((row) => exportRow(0, row));

/** A whole export, with few enough rows to keep a property fast. */
export const randomExport: fc.Arbitrary<readonly ExportRow[]> = fc.array(randomRow, {
  minLength: 1,
  maxLength: 25,
});
