import { sql } from 'kysely';
import { dismissed, rerun } from '../../domain/delivery/decision.js';
import { yieldToWriters } from '../leases/leases.js';
import { PAGE_ROWS } from '../store/pages.js';
import { type Ledger, writing } from '../store/query.js';
import { applyIntents } from '../submissions/apply-intents.js';
import { lastStatus } from '../submissions/columns.js';
import type { KeptDecision } from './decision-log.js';

/**
 * Moves the rows of a rerun or a dismissal that haven't moved since the decision, one transaction for each step; two
 * processes may do this at once. @param runId the run that carries it out; null: none.
 */
export async function* moveListedRows(
  ledger: Ledger,
  { decisionId, kind }: Pick<KeptDecision, 'decisionId' | 'kind'>,
  runId: number | null,
): AsyncGenerator<void> {
  for (let after = 0; ; ) {
    const last = await writing(ledger, async (ledger) => {
      const page = await listedAfter(ledger, decisionId, after);
      const open = page.filter(({ isMoved }) => isMoved === 0);
      const transitions = open.map((row) => (kind === 'rerun' ? rerun(row, 'rerun') : dismissed(row)));
      await applyIntents(ledger, transitions, { decisionId, runId });
      return page.at(-1)?.id;
    });
    if (last === undefined) return;
    after = last;
    await yieldToWriters(ledger);
    yield;
  }
}

async function listedAfter(ledger: Ledger, decisionId: number, after: number) {
  return ledger.db
    .selectFrom('decision_submission as x')
    .innerJoin('submission as s', 's.submission_id', 'x.submission_id')
    .innerJoin('decision as d', 'd.decision_id', 'x.decision_id')
    .select(['s.submission_id as id', 's.state', 's.cause', lastStatus.as('lastStatus')])
    .select(
      sql<number>`exists (select 1 from transition t
          where t.submission_id = s.submission_id and t.transition_id > d.last_transition_id)`.as('isMoved'),
    )
    .where('x.decision_id', '=', decisionId)
    .where('x.submission_id', '>', after)
    .orderBy('x.submission_id')
    .limit(sql.lit(PAGE_ROWS))
    .execute();
}
