import { describe, expect, test } from 'vitest';
import { createOrderEvidence } from '../../../src/normalise/time/order-evidence.js';

function evidenceOf(dates: readonly string[]) {
  const evidence = createOrderEvidence();
  for (const [index, date] of dates.entries()) evidence.add(date, index + 2);
  return evidence;
}

describe('dates with one separator don’t say how those with another are read', () => {
  test('a column of which some prove an order and others could be either is an issue with both examples', () => {
    const issue = evidenceOf(['04.03.2024', '03/04/2024', '03/14/2024']).issue('Completed on');
    expect(issue).toMatchObject({ code: 'date-order-unknown', column: 'Completed on' });
    expect(issue?.message).toBe(
      'Completed on writes its dates in two ways: line 4 ("03/14/2024") has the month first, and whether line 2 ("04.03.2024") has it too is not proven',
    );
    expect(issue?.remedy).toBe(
      'where all dates are written that way, set dateOrder: month-first for the source in registrar.yaml; where each way of writing has its own order, say so: datePatterns: [d.M.yyyy, M/d/yyyy] (for instance)',
    );
  });

  test('even where they prove the opposite', () => {
    const evidence = evidenceOf(['14.03.2024', '03/14/2024']);
    expect(evidence.proof()).toBeNull();
    expect(evidence.issue('Date')?.remedy).toContain('datePatterns: [d.M.yyyy, M/d/yyyy]');
  });

  test.each([
    ['each proves the same order', ['14.03.2024', '03.04.2024', '15-03-2024', '03-04-2024']],
    ['the others need no order', ['14.03.2024', '03/03/2024', '2024-03-04', '4 March 2024']],
    ['nothing is proven at all', ['04.03.2024', '03/04/2024']],
  ])('there is no issue where %s', (_, dates) => {
    expect(evidenceOf(dates).issue('Date')).toBeNull();
  });
});
