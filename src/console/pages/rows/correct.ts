import { carryOut } from '../../../actions/correct/correct.js';
import type { RowPlan } from '../../../actions/correct/plan-row.js';
import { OperatorError } from '../../../domain/operator-error.js';
import type { Visit } from '../../visits/visit.js';
import type { Desk } from '../../work/desk.js';
import { reasonIn } from '../decide/reason.js';
import type { Form, FormFields } from '../form.js';
import { rowPath } from '../parts/row-link.js';
import { cellName, seenOf } from './correct-form.js';
import { shownRow } from './row.js';

/** Shows what other values would make of a row; decides nothing. */
export const tryForm: Form = {
  path: '/rows/:what/try',
  async submit(visit, fields, desk) {
    const planned = await plannedBy(visit, fields, desk);
    const because = fields.one('because');
    return { shown: await shownRow(visit, desk, { planned, because, said: null, status: 200 }) };
  },
};

/** Corrects a row by a decision of the user who sends the form. */
export const correctRowForm: Form = {
  path: '/rows/:what/correct',
  async submit(visit, fields, desk) {
    const planned = await plannedBy(visit, fields, desk);
    const because = reasonIn(fields);
    const shown = async (said: string | null) => ({
      shown: await shownRow(visit, desk, { planned, because: because ?? '', said, status: 409 }),
    });
    const said = whyNotYet(planned, fields, because);
    if (because === null || said !== null) return shown(said);
    const who = { name: visit.person.name, door: 'console' as const };
    try {
      await carryOut(desk.context(), planned, who, because);
    } catch (error) {
      // Such as a file that is being imported: the input is kept for another try.
      if (!(error instanceof OperatorError) || error.exit === 'io') throw error;
      return shown(`It was not saved: ${error.message}. ${error.hint}`);
    }
    return { to: `${rowPath(visit.params.what ?? '')}?saved=yes` };
  },
};

/** More columns than any export has. */
const MAX_CELLS = 20_000;

async function plannedBy({ params }: Visit, fields: FormFields, desk: Desk): Promise<RowPlan> {
  const names = new Set(fields.names());
  const indexes = [...names].flatMap((name) => {
    const [, digits] = /^cell-(\d{1,5})$/.exec(name) ?? [];
    return digits === undefined ? [] : [Number(digits)];
  });
  const length = Math.min(MAX_CELLS, Math.max(-1, ...indexes) + 1);
  const cells = Array.from({ length }, (_, index) =>
    names.has(cellName(index)) ? fields.one(cellName(index)) : null,
  );
  return desk.ask('cellsPlan', { what: params.what ?? '', cells });
}

/** Why the correction is not made; null: nothing is in the way. */
function whyNotYet(planned: RowPlan, fields: FormFields, because: string | null): string | null {
  const { outcome, given } = planned;
  if (fields.one('seen') !== seenOf(planned))
    return 'The row was corrected since you opened the page. Check it and correct it again. Nothing was changed.';
  if (given.size === 0) return 'No cell was changed.';
  if (outcome.disposition === 'invalid') return 'The row would still be invalid. Nothing was changed.';
  if (outcome.original === 'unchanged')
    return `The row would be ${outcome.disposition}, which changes nothing. To leave it undelivered, dismiss it.`;
  if (because === null) return 'Give a reason: it is kept with the decision. Nothing was changed.';
  return null;
}
