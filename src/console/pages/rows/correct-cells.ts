import { carryOutAll, requireEffect } from '../../../actions/correct/correct.js';
import type { RowPlan } from '../../../actions/correct/plan-row.js';
import { OperatorError } from '../../../domain/operator-error.js';
import { cellText, textToCorrect } from '../../../domain/row.js';
import { visibleText } from '../../../domain/text/visible-text.js';
import { deciderOf, type Visit } from '../../visits/visit.js';
import type { ConsoleContext } from '../../work/console-context.js';
import type { FormAnswer, FormFields, Page, Shown } from '../page.js';
import { reasonIn } from '../parts/fields.js';
import { problemText } from '../problem.js';

/** What a person typed into cells of rows, and what it would make of them. */
export interface TriedCells {
  readonly sent: SentRows;
  /** Of the rows with a changed cell, by their places; empty where they can't be planned. */
  readonly plans: ReadonlyMap<string, RowPlan>;
  readonly because: string;
  /** The notice at the top; null: none. */
  readonly said: string | null;
}

/** The rows of which a cell was changed, by their places: `3:217`. Of each the cells that the page shows, by the index of the column. */
type SentRows = ReadonlyMap<string, ReadonlyMap<number, SentCell>>;

interface SentCell {
  readonly value: string;
  /** What the page has shown. */
  readonly was: string;
}

/** A row as the names of its fields have it: `3:217`. */
export function placeOf({ row: { dropId, line } }: RowPlan): string {
  return `${dropId}:${line}`;
}

/**
 * The forms of a page with cells to correct, at `/try` and `/correct` below its path: one shows what the changed cells would make of their rows and
 * decides nothing, the other corrects the rows by one decision of the user who sends it.
 * @param show the page again with the input. @param savedAt where a decision leads.
 */
export function correctingForms(
  path: string,
  show: (visit: Visit, context: ConsoleContext, tried: TriedCells) => Promise<Shown>,
  savedAt: (visit: Visit, decisionId: number) => string,
): readonly Page[] {
  const shown = async (visit: Visit, context: ConsoleContext, tried: TriedCells): Promise<FormAnswer> => ({
    shown: { ...(await show(visit, context, tried)), status: tried.said === null ? 200 : 409 },
  });
  const tryForm: Page = {
    path: `${path}/try`,
    async submit(visit, fields, context) {
      const tried = await triedBy(fields, context);
      return shown(visit, context, { ...tried, said: tried.said ?? changedSince(tried) });
    },
  };
  const correctForm: Page = {
    path: `${path}/correct`,
    async submit(visit, fields, context) {
      const tried = await triedBy(fields, context);
      const said = tried.said ?? (tried.sent.size === 0 ? 'No cell was changed.' : changedSince(tried));
      if (said !== null) return shown(visit, context, { ...tried, said });
      try {
        const plans = [...tried.plans.values()];
        plans.forEach(requireEffect);
        const because = reasonIn(fields);
        const { decisionId } = await carryOutAll(context.actionContext(), plans, deciderOf(visit), because);
        return { to: savedAt(visit, decisionId) };
      } catch (error) {
        // Such as a file that is being imported: the input is kept for another try.
        return shown(visit, context, { ...tried, said: refusalText(error) });
      }
    },
  };
  return [tryForm, correctForm];
}

async function triedBy(fields: FormFields, context: ConsoleContext): Promise<TriedCells> {
  const sent = changedRows(fields);
  const tried = { sent, plans: new Map(), because: fields.one('because'), said: null };
  const rows = [...sent].map(([what, cells]) => ({
    what,
    set: [...cells].flatMap(([column, { value, was }]) => (value === was ? [] : [{ column, value }])),
  }));
  try {
    const plans = await context.query('rowsPlan', { rows });
    return { ...tried, plans: new Map(plans.map((plan) => [placeOf(plan), plan])) };
  } catch (error) {
    return { ...tried, said: refusalText(error) };
  }
}

function changedRows(fields: FormFields): SentRows {
  const rows = new Map<string, Map<number, SentCell>>();
  for (const name of fields.names()) {
    const [, place, digits] = /^cell-(\d{1,12}:\d{1,9})-(\d{1,5})$/.exec(name) ?? [];
    if (place === undefined) continue;
    const cell = { value: fields.one(name), was: fields.one(`was-${place}-${digits}`) };
    rows.set(place, (rows.get(place) ?? new Map()).set(Number(digits), cell));
  }
  return new Map(
    [...rows].filter(([, cells]) => [...cells.values()].some(({ value, was }) => value !== was)),
  );
}

/** Says that a row was corrected since its page was opened; null: none was. */
function changedSince({ sent, plans }: TriedCells): string | null {
  const changed = [...plans].find(([place, plan]) => !isAsShown(plan, sent.get(place) ?? new Map()));
  return changed === undefined
    ? null
    : `${changed[1].row.label} was corrected since you opened the page. Check it and correct it again. Nothing was changed.`;
}

/**
 * True where the row still has the cells that the page has shown: line ends and invisible characters by their names, and text that is
 * struck through as a list or as a correction shows it.
 */
function isAsShown({ row }: RowPlan, sent: ReadonlyMap<number, SentCell>): boolean {
  return [...sent].every(([column, { was }]) => {
    const texts = [textToCorrect, cellText].map((textOf) => textOf(row.cells[column]));
    return texts.some((text) => text === was || visibleText(text) === was);
  });
}

function refusalText(error: unknown): string {
  if (!(error instanceof OperatorError) || error.exit === 'io') throw error;
  return problemText(error);
}
