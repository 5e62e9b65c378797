import { describe, expect, it } from 'vitest';
import { finishDecisions } from '../../../src/actions/decision/finish.js';
import { restage as verb } from '../../../src/actions/restage/restage.js';
import { systemClock } from '../../../src/domain/clock.js';
import { mapSeries } from '../../../src/domain/process/series.js';
import { imbalances } from '../../../src/ledger/books/balance/imbalances.js';
import { recordDecision, resultOf } from '../../../src/ledger/decisions/decision-log.js';
import type { Ledger } from '../../../src/ledger/store/query.js';
import { requireKnownSettings } from '../../../src/staging/key-settings.js';
import { sourceOf, stageContent } from '../../staging/staging-bench.js';
import { actionContext } from '../../support/action-context.js';
import { bytesOnDisk } from '../../support/bytes-on-disk.js';
import { decider } from '../../support/decider.js';
import { csvOf, exportRow } from '../../support/exports.js';
import { decisions } from '../../support/ledger-trace.js';
import { restage } from '../../support/restage.js';
import { states, testLedger } from '../../support/staged-ledger.js';

const CORRECTED = sourceOf({ status: { completed: ['waved through'] } });

/** Drop 1: a good row, two that the corrected source reads, one of which repeats the other, and one that stays invalid. */
async function withInvalid(): Promise<Ledger> {
  const ledger = testLedger(systemClock());
  await requireKnownSettings(ledger, sourceOf(), null);
  const odd = exportRow(2, { status: 'Waved through' });
  await stageContent(ledger, csvOf([exportRow(1), odd, odd, exportRow(3, { email: 'nobody' })]));
  return ledger;
}

/** Each decision with who made it and why, and its result; null where it has not ended. */
async function decided(ledger: Ledger): Promise<unknown[]> {
  return mapSeries(await decisions(ledger), async ({ decisionId, kind, who, because, finishedAt }) => [
    kind,
    who,
    because,
    finishedAt === null ? null : await resultOf(ledger, decisionId),
  ]);
}

describe('a plan to restage', () => {
  it('says in numbers and requests what carrying it out does, and changes nothing', async () => {
    const ledger = await withInvalid();
    const before = bytesOnDisk(ledger);
    const context = actionContext(ledger, { sources: [CORRECTED] });
    const { outlook } = await verb.plan(context, { drop: '1', limit: 20 });
    expect(outlook).toMatchObject({ open: 3, made: 1, repeated: 1, still: 1, issues: [{ line: 5 }] });
    expect(outlook?.records).toMatchObject([{ line: 3, request: { method: 'POST' } }]);
    expect(bytesOnDisk(ledger)).toBe(before);

    expect(await restage(ledger, 1, CORRECTED)).toMatchObject({
      decisionId: 1,
      made: 1,
      repeated: 1,
      still: 1,
    });
    expect(await decided(ledger)).toEqual([
      ['restage', 'somebody', null, { moved: 0, made: 1, resolved: 2 }],
    ]);
    expect(await imbalances(ledger)).toEqual([]);
  });

  it('that would change nothing records no decision', async () => {
    const ledger = await withInvalid();
    expect(await restage(ledger, 1, sourceOf())).toMatchObject({ decisionId: null, open: 3, still: 3 });
    expect(await decided(ledger)).toEqual([]);
  });

  it('of a source with unconfirmed changed settings is refused before anything is decided', async () => {
    const ledger = await withInvalid();
    const moved = sourceOf({ timeZone: 'Europe/Lisbon' });
    await expect(restage(ledger, 1, moved)).rejects.toThrow(/timeZone was "Europe\/Berlin"/);
    expect(await decided(ledger)).toEqual([]);
  });
});

describe('a restage whose process died', () => {
  const begun = async () => {
    const ledger = await withInvalid();
    const facts = {
      kind: 'restage',
      who: decider('ada'),
      because: 'mended',
      selection: { drop: 1 },
    } as const;
    await recordDecision(ledger, facts);
    return ledger;
  };

  it('is carried out by the next command that decides, under the original name and reason', async () => {
    const ledger = await begun();
    expect(await finishDecisions(actionContext(ledger, { sources: [CORRECTED] }), null)).toEqual([]);
    expect(await decided(ledger)).toEqual([['restage', 'ada', 'mended', { moved: 0, made: 1, resolved: 2 }]]);
    expect(await states(ledger)).toEqual(['waiting', 'waiting']);
  });

  it('of a removed source stays open and says so, and stops nothing else', async () => {
    const ledger = await begun();
    const [left, ...others] = await finishDecisions(actionContext(ledger, { sources: [] }), null);
    expect(others).toEqual([]);
    expect(left?.exit).toBe('attention');
    expect(left?.message).toMatch(/decision 1 about drop.csv of source academy was interrupted/);
    expect(await decided(ledger)).toEqual([['restage', 'ada', 'mended', null]]);
    expect(await finishDecisions(actionContext(ledger, { sources: [CORRECTED] }), null)).toEqual([]);
    expect(await states(ledger)).toEqual(['waiting', 'waiting']);
  });

  it('stays one decision when it is requested again', async () => {
    const ledger = await begun();
    const context = actionContext(ledger, { sources: [CORRECTED] });
    const planned = await verb.plan(context, { drop: '1', limit: 0 });
    expect(await verb.carryOut(context, planned, decider('bea'), null)).toMatchObject({ open: 1, made: 0 });
    expect(await decided(ledger)).toEqual([['restage', 'ada', 'mended', expect.any(Object)]]);
  });
});
