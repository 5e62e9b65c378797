import { describe, expect, it } from 'vitest';
import { collected } from '../../src/domain/process/series.js';
import { closeDecision } from '../../src/ledger/decisions/decision-log.js';
import { moveListedRows } from '../../src/ledger/decisions/move-listed-rows.js';
import { openDecision } from '../../src/ledger/erasure/open-decision.js';
import { decider } from '../support/decider.js';
import { ENGINES } from './engines.js';
import {
  ALL_LEADS,
  isAnsweredWhileTakenOver,
  isDeliveredWhilePublished,
  isOvertaken,
  openedTwice,
} from './overtaking.js';
import { waitingFilter } from './selection-of.js';
import { publishedDrop } from './staged-drop.js';

/** Those that two-connections.test.ts leaves out. */
const LEADS = ALL_LEADS.filter((steps) => steps % 3 !== 0);

describe.each(ENGINES)('on $name', ({ open }) => {
  describe('a push that ends while a drop is published', () => {
    it('delivers its rows, or has let go before the publisher looks: every row has an owner', () =>
      isDeliveredWhilePublished(open, LEADS));
  });

  describe('two claimers of one submission', () => {
    it('never both have it under way when one overtakes the other', () => isOvertaken(open, LEADS));

    it('an answer that comes while the row is taken over counts', () =>
      isAnsweredWhileTakenOver(open, LEADS));
  });

  describe('a decision that two processes carry out', () => {
    it('has one result when both carry it out at once', async () => {
      const { one, other } = await openedTwice(open);
      // More than one transaction moves.
      const rows = Array.from({ length: 510 }, (_, n) => ({ user: `u${n}@x.example` }));
      await publishedDrop(one, 'a.csv', rows);
      const decision = await openDecision(one, {
        who: decider('ada'),
        because: 'asked',
        kind: 'dismiss',
        selection: {},
        filter: await waitingFilter(one),
        refusals: [],
      });
      const results = [one, other].map(async (ledger) => {
        await collected(moveListedRows(ledger, decision, null));
        return closeDecision(ledger, decision.decisionId);
      });
      const whole = { moved: rows.length, made: 0, resolved: 0 };
      expect(await Promise.all(results)).toEqual([whole, whole]);
    });
  });
});
