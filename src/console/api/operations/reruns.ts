import { z } from 'zod';
import { rerunDocument, rerunEntry } from '../../../actions/documents/rerun-document.js';
import { runDocument } from '../../../actions/documents/run-document.js';
import { carryOut, type RerunPlan, rerunRows } from '../../../actions/rerun.js';
import { RERUNNABLE } from '../../../actions/rows/selectable.js';
import type { Desk } from '../../server/desk.js';
import { decisionFields, reasonOf } from '../because.js';
import { goingOn } from '../going-on.js';
import { type ApiAnswer, operation } from '../operation.js';
import { rerunPlanSchema } from '../schemas/decided.js';
import { FLAG, selectionSchema } from '../schemas/requests.js';
import { begunRerunSchema, rerunSchema } from '../schemas/run.js';
import { selectionOf } from '../selection-of.js';
import { UNWATCHED } from '../unwatched.js';

export const postReruns = operation({
  id: 'postReruns',
  method: 'post',
  path: '/reruns',
  summary: 'Deliver again what was refused, failed, is in doubt or is held',
  roles: ['operator'],
  query: z.strictObject({ wait: FLAG.optional() }),
  body: z.strictObject({ selection: selectionSchema, ...decisionFields }),
  answers: {
    200: {
      name: 'Rerun',
      description:
        'The document of registrar rerun --json: with `dryRun`, and where no row fits, the selection; with `wait` the run, once it has ended.',
      schema: z.union([rerunPlanSchema, rerunSchema]),
    },
    202: {
      name: 'BegunRerun',
      description: 'The rows wait again; their delivery goes on.',
      schema: begunRerunSchema,
    },
  },
  async carryOut(asked) {
    const { desk, body, query, who } = asked;
    const planned = await desk.ask('rerunPlan', { selection: selectionOf(body.selection, RERUNNABLE) });
    const { dryRun = false } = body;
    if (dryRun || planned.rows.total === 0) return plannedAnswer(desk, planned, dryRun);
    const begun = await goingOn(asked, query.wait ?? false, {
      name: 'rerun',
      work: (interrupt, tell: (told: z.output<typeof begunRerunSchema>) => void) =>
        carryOut(desk.context(), planned, who, reasonOf(body.because), {
          interrupt,
          ...UNWATCHED,
          onMoved: (moved, decision, run) => tell({ decision, run, moved }),
        }),
    });
    if ('told' in begun) return { status: 202, document: begun.told };
    const { moved, run } = begun.done;
    return { status: 200, document: { moved, ...runDocument(run) } };
  },
});

function plannedAnswer(desk: Desk, planned: RerunPlan, dryRun: boolean): ApiAnswer {
  return {
    status: 200,
    document: rerunDocument(planned, dryRun),
    list: { name: 'selected', entries: entriesOf(desk, planned) },
  };
}

async function* entriesOf(desk: Desk, planned: RerunPlan): AsyncGenerator<unknown> {
  for await (const row of rerunRows(desk.context(), planned)) yield rerunEntry(row);
}
