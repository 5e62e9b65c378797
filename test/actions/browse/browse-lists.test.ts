import { describe, expect, it } from 'vitest';
import { QUERIES } from '../../../src/actions/browse/queries.js';
import { ATTENTION_STATES } from '../../../src/domain/submission.js';
import { masked } from '../../../src/report/words/masked.js';
import { actionContext } from '../../support/action-context.js';
import { browsedLedger, PERSONAL } from '../../support/browsed-ledger.js';

function personalIn(value: unknown): string[] {
  expect(structuredClone(value)).toEqual(value);
  const text = JSON.stringify(value).toLowerCase();
  return PERSONAL.filter((personal) => text.includes(personal));
}

describe('causes', () => {
  it('are counted with who can do what about them', async () => {
    const context = actionContext(await browsedLedger());
    const { causes, submissions, refusedFiles } = masked(await QUERIES.causes(context, {}));
    expect(causes.find(({ code }) => code === 'timestamp-invalid')).toMatchObject({
      count: 4,
      states: [{ state: 'invalid', count: 4 }],
      files: 2,
      correctable: true,
    });
    expect(causes.find(({ code }) => code === 'learner-unknown')?.remedies).toEqual([{ action: 'map' }]);
    expect(submissions).toBe(
      causes
        .flatMap(({ states }) => states)
        .filter(({ state }) => ATTENTION_STATES.some((one) => one === state))
        .reduce((sum, { count }) => sum + count, 0),
    );
    expect(refusedFiles).toEqual([]);
    expect(personalIn(causes)).toEqual([]);
  });
});

describe('the overview', () => {
  it('show the status', async () => {
    const context = actionContext(await browsedLedger());
    const found = masked(await QUERIES.overview(context, {}));
    expect(found).toMatchObject({
      verdict: 'attention',
      books: { balanced: true, unbalancedDrops: [] },
      environments: [{ environment: 'main', isDown: false, estimate: { rows: expect.any(Number) } }],
      alerts: [],
      unmatched: [],
    });
    expect(found.runs).toHaveLength(3);
    expect(found.attention.rows).toBeGreaterThan(6);
    expect(personalIn(found)).toEqual([]);
  });

  it('counts the requests of the last day hour by hour, and of the last hour minute by minute', async () => {
    const context = actionContext(await browsedLedger());
    const { sent, at } = masked(await QUERIES.overview(context, {}));
    expect([sent.hours.length, sent.minutes.length]).toEqual([24, 60]);
    const sum = (of: readonly { requests: number }[]) =>
      of.reduce((total, { requests }) => total + requests, 0);
    expect(sum(sent.hours)).toBe(9);
    expect(sent.hours.at(-1)?.at.slice(0, 13)).toBe(at.slice(0, 13));
    // They left an hour ago.
    expect(sent.hours.at(-2)?.requests).toBe(9);
    expect(sum(sent.minutes)).toBe(0);
    expect(sent.hours.at(-2)).toMatchObject({ accepted: 1 });
  });
});
