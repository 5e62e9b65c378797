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
  it('are counted, with who can resolve them and how', async () => {
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
      unbalancedDrops: [],
      environments: [{ environment: 'main', isDown: false, estimate: { rows: expect.any(Number) } }],
      alerts: { open: 0, muted: 0 },
      unmatched: [],
    });
    expect(found.runs).toHaveLength(3);
    expect(found.attention.rows).toBeGreaterThan(6);
    expect(personalIn(found)).toEqual([]);
  });

  it('counts the requests of the last day hour by hour, and all rows by their result and state', async () => {
    const context = actionContext(await browsedLedger());
    const { timeline, sums, at, attention } = masked(await QUERIES.overview(context, {}));
    const hours = timeline?.buckets ?? [];
    expect([hours.length, hours.at(-1)?.from.slice(0, 13)]).toEqual([24, at.slice(0, 13)]);
    // They left an hour ago.
    expect(hours.map(({ sent }) => sent).filter((sent) => sent > 0)).toEqual([9]);
    const { sent, accepted, refused, throttled, failed, open } = hours.at(-2) ?? {};
    expect([sent, accepted]).toEqual([9, 1]);
    expect((refused ?? 0) + (throttled ?? 0) + (failed ?? 0) + (open ?? 0)).toBe(8);
    const books = await QUERIES.reportDocument(context, { selection: {}, inboxes: false });
    expect(sums).toEqual({
      ...{ rows: books.rows, dispositions: books.dispositions, states: books.states },
      attentionRows: attention.rows,
    });
  });
});
