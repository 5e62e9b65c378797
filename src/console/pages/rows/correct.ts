import { carryOut } from '../../../actions/correct/correct.js';
import type { RowPlan } from '../../../actions/correct/plan-row.js';
import { OperatorError } from '../../../domain/operator-error.js';
import { deciderOf, type Visit } from '../../visits/visit.js';
import type { Desk } from '../../work/desk.js';
import type { FormFields, Page } from '../page.js';
import { reasonIn } from '../parts/fields.js';
import { rowPath } from '../parts/row-link.js';
import { problemText } from '../problem.js';
import { cellName, seenOf } from './correct-form.js';
import { shownRow } from './row.js';

/** Shows what other values would make of a row; decides nothing. */
export const tryForm: Page = {
  path: '/rows/:what/try',
  async submit(visit, fields, desk) {
    const planned = await plannedBy(visit, fields, desk);
    const because = fields.one('because');
    return { shown: await shownRow(visit, desk, { planned, because, said: null, status: 200 }) };
  },
};

/** Corrects a row by a decision of the user who sends the form. */
export const correctRowForm: Page = {
  path: '/rows/:what/correct',
  async submit(visit, fields, desk) {
    const planned = await plannedBy(visit, fields, desk);
    const because = reasonIn(fields);
    const shown = async (said: string | null) => ({
      shown: await shownRow(visit, desk, { planned, because: because ?? '', said, status: 409 }),
    });
    const said = whyNotYet(planned, fields);
    if (said !== null) return shown(said);
    try {
      await carryOut(desk.context(), planned, deciderOf(visit), because);
    } catch (error) {
      // Such as a file that is being imported: the input is kept for another try.
      if (!(error instanceof OperatorError) || error.exit === 'io') throw error;
      return shown(problemText(error));
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

function whyNotYet(planned: RowPlan, fields: FormFields): string | null {
  if (fields.one('seen') !== seenOf(planned))
    return 'The row was corrected since you opened the page. Check it and correct it again. Nothing was changed.';
  return planned.given.size === 0 ? 'No cell was changed.' : null;
}
