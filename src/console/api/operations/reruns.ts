import { z } from 'zod';
import { runDocument } from '../../../actions/documents/report-document.js';
import { rerun } from '../../../actions/rerun.js';
import { RERUNNABLE } from '../../../actions/rows/selectable.js';
import { rerunSchema } from '../../../documents/decided.js';
import { begunRerunSchema } from '../../../documents/run.js';
import { onceBegun, onceDone } from '../../work/going-on.js';
import { rerunWork } from '../../work/rerun-work.js';
import { operation } from '../operation.js';
import { plannedAnswer } from '../planned-answer.js';
import { DECISION_FIELDS, FLAG, selectionField } from '../requests.js';
import { lookAt } from './runs.js';

export const postReruns = operation({
  id: 'postReruns',
  tag: 'Decisions',
  method: 'post',
  path: '/reruns',
  summary: 'Deliver again what was refused, failed, is in doubt or is held',
  roles: ['operator'],
  query: z.strictObject({ wait: FLAG.optional() }),
  body: z.strictObject({ selection: selectionField(RERUNNABLE), ...DECISION_FIELDS }),
  takesKey: true,
  answers: { 200: rerunSchema, 202: begunRerunSchema },
  async carryOut({ desk, body, query, who, keepWaiting }) {
    const planned = await desk.ask('rerunPlan', { selection: body.selection });
    const { dryRun = false, because = null } = body;
    if (dryRun || planned.rows.total === 0) return plannedAnswer(desk.context(), rerun, planned, dryRun);
    const work = rerunWork(desk, planned, who, because);
    if (!query.wait) {
      const begun = await onceBegun(desk, work);
      return { status: 202, document: { ...begun, look: lookAt(begun.run) } };
    }
    keepWaiting();
    const { moved, run } = await onceDone(desk, work);
    return { status: 200, document: { moved, ...runDocument(run) } };
  },
});
