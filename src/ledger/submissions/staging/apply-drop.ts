import { sql } from 'kysely';
import { afterPublication } from '../../../domain/delivery/slot.js';
import { yieldToWriters } from '../../leases/leases.js';
import { pagesOf } from '../../store/pages.js';
import { all, type Ledger, preparedQuery, query, writing } from '../../store/query.js';
import { applyIntents, unsentStates } from '../apply-intents.js';
import { haveSame, SLOT } from '../columns.js';
import { slotsOf } from '../slots.js';

/**
 * Applies a published drop: its revisions replace earlier ones that were never sent, and the guards hold submissions.
 * The guards are checked again before each request; checking here lets `status` show held rows earlier. After an
 * interruption, call it again. Each transaction is short, a page for each step.
 */
export async function* applyDrop(ledger: Ledger, dropId: number, runId: number | null): AsyncGenerator<void> {
  for (const candidates of [SUPERSEDED, HELD]) {
    const ids = (await all(ledger, candidates({ dropId }))).map(({ id }) => id);
    for (const page of pagesOf(ids)) {
      await writing(ledger, async (ledger) => {
        const slots = await slotsOf(ledger, page);
        const members = page.flatMap((id) => slots.get(id) ?? []);
        await applyIntents(
          ledger,
          members.map(({ own, slot }) => afterPublication(slot, own)),
          { runId },
        );
      });
      await yieldToWriters(ledger);
      yield;
    }
  }
}

/** Unsent submissions whose keys have a newer revision in the drop. */
const SUPERSEDED = preparedQuery(({ dropId }: { readonly dropId: number }) =>
  query
    .selectFrom('submission as newer')
    .innerJoin('submission as older', (join) => join.on(haveSame([...SLOT, 'occurred_at'], 'older', 'newer')))
    .select('older.submission_id as id')
    .where('newer.drop_id', '=', dropId)
    // As a literal: the partial index of revisions needs the same condition.
    .where(sql<boolean>`newer.revision > 1`)
    .whereRef('older.revision', '<', 'newer.revision')
    .where(sql<boolean>`older.state in (${unsentStates})`)
    .groupBy('older.submission_id'),
);

/** The drop's waiting submissions whose learner is on hold, or whose slot has a later accepted one. */
const HELD = preparedQuery(({ dropId }: { readonly dropId: number }) =>
  query
    .selectFrom('submission_record as s')
    .select('s.submission_id as id')
    .where('s.drop_id', '=', dropId)
    .where('s.state', '=', sql.lit('waiting'))
    .where(({ or, and, eb, exists, selectFrom }) =>
      or([
        exists(
          selectFrom('learner_hold as h')
            .select('h.learner_id')
            .whereRef('h.environment', '=', 's.environment')
            .whereRef('h.learner_id', '=', 's.learner_id'),
        ),
        and([
          eb('s.occurred_at', '<>', ''),
          exists(
            selectFrom('submission as m')
              .select('m.submission_id')
              .where(haveSame([...SLOT, 'operation_id'], 'm', 's'))
              .whereRef('m.occurred_at', '>', 's.occurred_at')
              .where('m.state', '=', sql.lit('accepted')),
          ),
        ]),
      ]),
    ),
);
