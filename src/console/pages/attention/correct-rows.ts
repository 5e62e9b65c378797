import { carryOutAll, hasEffect } from '../../../actions/correct/correct.js';
import { OperatorError } from '../../../domain/operator-error.js';
import { deciderOf, hrefOf, type Visit } from '../../visits/visit.js';
import type { Desk } from '../../work/desk.js';
import type { FormAnswer, FormFields, Page } from '../page.js';
import { reasonIn } from '../parts/fields.js';
import { editsIn, isAsShown, listOf, type TriedGrid } from './grid.js';
import { shownRows } from './rows.js';

/** Shows what the changed cells of a table would make of their rows; decides nothing. */
export const tryRowsForm: Page = {
  path: '/attention/rows/try',
  submit: async (visit, fields, desk) => shown(visit, desk, await triedBy(fields, desk), 200),
};

/** Corrects the rows of a table whose cells were changed, by one decision of the user who sends the form. */
export const correctRowsForm: Page = {
  path: '/attention/rows/correct',
  async submit(visit, fields, desk) {
    const tried = await triedBy(fields, desk);
    const because = reasonIn(fields);
    const said = tried.said ?? whyNotYet(tried, because);
    if (said !== null) return shown(visit, desk, { ...tried, said }, 409);
    try {
      const { decisionId } = await carryOutAll(
        desk.context(),
        [...tried.plans.values()],
        deciderOf(visit),
        because,
      );
      return { to: hrefOf(listOf(visit.address), { saved: String(decisionId) }) };
    } catch (error) {
      // Such as a file that is being imported: the input is kept for another try.
      if (!(error instanceof OperatorError) || error.exit === 'io') throw error;
      return shown(visit, desk, { ...tried, said: notSaved(error) }, 409);
    }
  },
};

async function triedBy(fields: FormFields, desk: Desk): Promise<TriedGrid> {
  const edits = editsIn(fields);
  const because = fields.one('because');
  try {
    const found = await desk.ask('rowsPlan', { rows: edits.map(({ what, set }) => ({ what, set })) });
    const plans = edits.flatMap(({ what }, index) => {
      const plan = found[index];
      return plan === undefined ? [] : [[what, plan] as const];
    });
    return { edits, because, said: null, plans: new Map(plans) };
  } catch (error) {
    if (!(error instanceof OperatorError) || error.exit === 'io') throw error;
    return { edits, because, said: notSaved(error), plans: new Map() };
  }
}

function whyNotYet({ edits, plans }: TriedGrid, because: string | null): string | null {
  const isChanged = edits.some((edit) => {
    const plan = plans.get(edit.what);
    return plan !== undefined && !isAsShown(edit, plan);
  });
  if (isChanged)
    return 'A row was corrected since you opened the page. Check it and correct it again. Nothing was changed.';
  if (edits.length === 0) return 'No cell was changed.';
  if (![...plans.values()].every(hasEffect))
    return 'A row would still be invalid, or unchanged. Nothing was changed.';
  return because === null ? 'Give a reason: it is kept with the decision. Nothing was changed.' : null;
}

function notSaved({ message, hint }: OperatorError): string {
  return `It was not saved: ${message}. ${hint}`;
}

async function shown(visit: Visit, desk: Desk, tried: TriedGrid, status: 200 | 409): Promise<FormAnswer> {
  const list = { ...visit, address: listOf(visit.address) };
  return { shown: { ...(await shownRows(list, desk, tried)), status } };
}
