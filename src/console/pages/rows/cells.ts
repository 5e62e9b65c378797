import { carryOutAll, preview, requireEffect } from '../../../actions/correct/correct.js';
import type { RowPlan } from '../../../actions/correct/plan-row.js';
import type { CorrectedCell } from '../../../documents/correction.js';
import type { ListedRow } from '../../../documents/rows.js';
import { type Issue, issuesText } from '../../../domain/issue.js';
import { cellText, textToCorrect } from '../../../domain/row.js';
import { visibleText } from '../../../domain/text/visible-text.js';
import { type Html, html } from '../../../report/page/html.js';
import { richTextHtml } from '../../../report/page/words.js';
import { deciderOf, hrefOf, type Visit } from '../../work/visit.js';
import type { FormAnswer, FormFields, Page, PageView } from '../page.js';
import { formToken, reasonField, reasonIn } from '../parts/fields.js';
import { rowName } from '../parts/row-link.js';
import { expectedRefusal, problemText } from '../problem.js';

/** What a person typed into cells of rows, and what it would make of them. */
export interface TriedCells {
  /** The rows of which a cell was changed, by their places: `3:217`. Of each the cells that the page shows, by the index of the column. */
  readonly sent: ReadonlyMap<string, ReadonlyMap<number, SentCell>>;
  /** Of the rows with a changed cell, by their places; empty where they can't be planned. */
  readonly plans: ReadonlyMap<string, RowPlan>;
  readonly because: string;
  /** The notice at the top; null: none. */
  readonly message: string | null;
}

type SentCell = Readonly<Record<'value' | 'was', string>>;

function placeOf({ row: { dropId, line } }: RowPlan): string {
  return `${dropId}:${line}`;
}

/**
 * The forms of a page with cells to correct: one shows what the changed cells would make of their rows, the other corrects the rows by
 * one decision. @param show the page again with the input. @param savedAt where a decision leads.
 */
export function correctingForms(
  show: (visit: Visit, tried: TriedCells) => Promise<PageView>,
  savedAt: (visit: Visit, decisionId: number) => string,
): NonNullable<Page['forms']> {
  const shown = async (visit: Visit, tried: TriedCells): Promise<FormAnswer> => ({
    page: { ...(await show(visit, tried)), status: tried.message === null ? 200 : 409 },
  });
  return {
    async try(visit, fields) {
      const tried = await triedBy(visit, fields);
      return shown(visit, { ...tried, message: tried.message ?? changedSince(tried) });
    },
    async correct(visit, fields) {
      const tried = await triedBy(visit, fields);
      const message = tried.message ?? (tried.sent.size === 0 ? 'No cell was changed.' : changedSince(tried));
      if (message !== null) return shown(visit, { ...tried, message });
      try {
        const plans = [...tried.plans.values()];
        plans.forEach(requireEffect);
        const because = reasonIn(fields);
        const { decisionId } = await carryOutAll(visit.actionContext(), plans, deciderOf(visit), because);
        return { to: savedAt(visit, decisionId) };
      } catch (error) {
        return shown(visit, { ...tried, message: problemText(expectedRefusal(error)) });
      }
    },
  };
}

async function triedBy(visit: Visit, fields: FormFields): Promise<TriedCells> {
  const sent = changedRows(fields);
  const tried = { sent, plans: new Map(), because: fields.one('because'), message: null };
  const rows = [...sent].map(([what, cells]) => ({
    what,
    set: [...cells].flatMap(([column, { value, was }]) => (value === was ? [] : [{ column, value }])),
  }));
  try {
    const plans = await visit.query('rowsPlan', { rows });
    return { ...tried, plans: new Map(plans.map((plan) => [placeOf(plan), plan])) };
  } catch (error) {
    return { ...tried, message: problemText(expectedRefusal(error)) };
  }
}

function changedRows(fields: FormFields): TriedCells['sent'] {
  const rows = new Map<string, Map<number, SentCell>>();
  for (const name of fields.names()) {
    const [, place, digits] = /^cell-(\d{1,12}:\d{1,9})-(\d{1,5})$/.exec(name) ?? [];
    if (place === undefined) continue;
    const cell = { value: fields.one(name), was: fields.one(`was-${place}-${digits}`) };
    rows.set(place, (rows.get(place) ?? new Map()).set(Number(digits), cell));
  }
  const isChanged = ({ value, was }: SentCell) => value !== was;
  return new Map([...rows].filter(([, cells]) => [...cells.values()].some(isChanged)));
}

/** Says that a row was corrected since its page was opened; null: none was. */
function changedSince({ sent, plans }: TriedCells): string | null {
  const changed = [...plans].find(([place, plan]) => !isUnchanged(plan, sent.get(place) ?? new Map()));
  return changed === undefined
    ? null
    : `${changed[1].row.label} was corrected since you opened the page. Check it and correct it again. Nothing was changed.`;
}

/** A page shows line ends and invisible characters by their names, and struck-through text as a list or as a correction does. */
function isUnchanged({ row }: RowPlan, sent: ReadonlyMap<number, SentCell>): boolean {
  return [...sent].every(([column, { was }]) => {
    const texts = [textToCorrect, cellText].map((textOf) => textOf(row.cells[column]));
    return texts.some((text) => text === was || visibleText(text) === was);
  });
}

const FORM = 'grid';

export type CellIssue = Pick<Issue, 'column' | 'message' | 'remedy'>;

/** All cells of a row as fields. @param own why the row needs attention, shown until something is tried. */
export function cellFields(plan: RowPlan, own: readonly CellIssue[], tried: TriedCells | null): Html {
  const place = placeOf(plan);
  const issues = tried === null || tried.plans.size === 0 ? own : plan.issues;
  return html`<div class="cells">${plan.cells.map((cell, index) => {
    const { column, field, was } = cell;
    return html`<p class="field"><label for="cell-${place}-${index}"><bdi>${column === '' ? `Column ${index + 1}` : column}</bdi>${field === null ? '' : html` <small>${field}</small>`}</label>
${cellInput(tried, place, index, was, cell, issuesOf(cell, issues))}</p>
`;
  })}</div>`;
}

/** A wrong cell of a list as a field, with what is made of it; null where the row can't be corrected here. */
export function editCell(row: ListedRow, column: string | null, tried: TriedCells | null): Html | null {
  const index = column === null ? -1 : (row.cells ?? []).findIndex((one) => one.column === column);
  const was = row.cells?.[index]?.text;
  if (row.state !== 'invalid' || was === undefined) return null;
  const place = rowName(row);
  const plan = tried?.plans.get(place);
  const read = plan?.cells[index] ?? null;
  const issues = plan === undefined || read === null ? null : issuesOf(read, plan.issues);
  return cellInput(tried, place, index, was, read, issues, `${column ?? ''} of ${place}`);
}

/** @param read null: it was not read again. @param issues null: it is wrong, and `read` doesn't say why. @param label where the page has none. */
function cellInput(
  tried: TriedCells | null,
  place: string,
  index: number,
  was: string,
  read: CorrectedCell | null,
  issues: readonly CellIssue[] | null,
  label?: string,
): Html {
  const id = `cell-${place}-${index}`;
  const sent = tried?.sent.get(place)?.get(index);
  // A cell that wasn't edited may have been corrected by another person meanwhile.
  const typed = sent === undefined || sent.value === sent.was ? was : sent.value;
  return html`<input id="${id}" name="${id}" form="${FORM}" type="text" maxlength="32767" autocomplete="off" spellcheck="false" value="${typed}"${label === undefined ? '' : html` aria-label="${label}"`} aria-describedby="${id}-reading"${issues?.length === 0 ? '' : html` aria-invalid="true"`}>
<input type="hidden" form="${FORM}" name="was-${place}-${index}" value="${was}">
<small id="${id}-reading" data-reading>${read === null ? '' : readingOf(read, issues ?? [])}</small>`;
}

function issuesOf({ column, field }: CorrectedCell, issues: readonly CellIssue[]): readonly CellIssue[] {
  return issues.filter((issue) => issue.column !== null && [column, field].includes(issue.column));
}

function readingOf({ field, value, rule, was, given }: CorrectedCell, issues: readonly CellIssue[]): Html {
  const before = given === null ? '' : html` In the file: <bdi>${was === '' ? 'nothing' : was}</bdi>.`;
  if (issues.length > 0) return html`<b>${issuesText(issues)} </b>${before}`;
  if (field === null) return html`Not used.${before}`;
  if (value === null) return html`Used to decide whether the row counts.${before}`;
  return html`Read as <bdi>${String(value)}</bdi>${rule === null || rule === '' ? '' : ` (${rule})`}.${before}`;
}

/** The form of the cells: what would become of the rows, and why. @param at what has the addresses `/try` and `/correct`. */
export function cellsForm(visit: Visit, at: string, tried: TriedCells | null): Html {
  const { query } = visit.address;
  const tryPath = hrefOf({ path: `${at}/try`, query });
  return html`<form id="${FORM}" method="post" action="${hrefOf({ path: `${at}/correct`, query })}" data-try="${tryPath}">${formToken(visit)}
<div id="outcome" data-reading role="status">${outcomes(tried)}</div>
${reasonField(true, tried?.because ?? '')}
<p class="buttons"><button class="second-choice" formaction="${tryPath}" formnovalidate>Try</button> <button>Save the corrections</button></p></form>`;
}

function outcomes(tried: TriedCells | null): Html {
  if (tried === null) return html`<p class="note">No corrections yet.</p>`;
  if (tried.sent.size === 0) return html`<p class="note">No cell was changed.</p>`;
  return html`${[...tried.plans.values()].map((plan) => {
    const { disposition, original } = plan.outcome;
    const { headline, lines } = preview(plan);
    const kind = disposition === 'invalid' ? 'bad' : original === 'unchanged' ? 'open' : 'good';
    return html`<p class="notice ${kind}">${richTextHtml(headline)}.</p>
${lines.length === 0 ? '' : html`<ul>${lines.map((line) => html`<li>${richTextHtml(line)}</li>`)}</ul>`}`;
  })}`;
}
