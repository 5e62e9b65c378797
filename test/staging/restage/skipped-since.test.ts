import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/domain/clock.js';
import { imbalances } from '../../../src/ledger/books/balance/imbalances.js';
import type { Ledger } from '../../../src/ledger/store/query.js';
import { renderTrace } from '../../../src/report/trace/render-trace.js';
import { trace } from '../../../src/report/trace/trace.js';
import { actionContext } from '../../support/action-context.js';
import { csvOf, exportRow } from '../../support/exports.js';
import { openRows, rowAt } from '../../support/ledger-trace.js';
import { restage } from '../../support/restage.js';
import { testLedger } from '../../support/staged-ledger.js';
import { sourceOf, stageContent } from '../staging-bench.js';

/** The word that registrar.yaml doesn't know yet; and the source once its operator has declared it. */
const WORD = 'Erledigt?';
const DECLARED = sourceOf({ status: { notCompleted: [WORD] } });

async function withUnknownWord(rows: number): Promise<Ledger> {
  const ledger = testLedger(systemClock());
  const odd = Array.from({ length: rows }, (_, index) => exportRow(index + 2, { status: WORD }));
  await stageContent(ledger, csvOf([exportRow(1), ...odd]), { source: sourceOf({ invalid: { most: 100 } }) });
  expect(await openRows(ledger)).toHaveLength(rows);
  return ledger;
}

async function traced(ledger: Ledger, what: string): Promise<string> {
  const { config } = actionContext(ledger, { sources: [DECLARED] });
  const found = await trace(ledger, config, { what, learners: [], searchAll: false }, 0);
  return renderTrace(found, false).replace(/\s+/g, ' ');
}

describe('a row whose status word is declared notCompleted later', () => {
  it('is closed by the restage that its remedy proposes, keeps its disposition, and the trace says why', async () => {
    const ledger = await withUnknownWord(1);
    expect(await restage(ledger, 1, DECLARED)).toMatchObject({
      decisionId: 1,
      open: 1,
      skipped: 1,
      still: 0,
    });
    expect(await openRows(ledger)).toEqual([]);
    expect(await rowAt(ledger, 1, 3)).toMatchObject({
      disposition: 'invalid',
      issues: [{ code: 'status-unknown' }, { code: 'status-not-completed' }],
      resolution: { submission: null, decision: { kind: 'restage' } },
    });
    expect(await traced(ledger, '1:3')).toContain('invalid, now skipped by policy: restage of somebody');
    expect(await imbalances(ledger)).toEqual([]);
    expect(await restage(ledger, 1, DECLARED)).toMatchObject({ decisionId: null, open: 0 });
  });

  it('is closed together with more than a thousand others', async () => {
    const ledger = await withUnknownWord(1_100);
    expect(await restage(ledger, 1, DECLARED)).toMatchObject({ open: 1_100, skipped: 1_100, still: 0 });
    expect(await openRows(ledger)).toEqual([]);
    expect(await imbalances(ledger)).toEqual([]);
  });
});
