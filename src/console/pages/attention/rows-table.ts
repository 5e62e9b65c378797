import type { ListedRow } from '../../../documents/rows.js';
import { isoMoment } from '../../../domain/clock.js';
import { operationNamed } from '../../../operations/registry.js';
import { type Html, type HtmlValue, html } from '../../../report/page/html.js';
import { tableFrame, timeText } from '../../../report/page/words.js';
import { counted, numberText } from '../../../report/text/counted.js';
import { sentence } from '../../../report/text/sentence.js';
import { causeHelp } from '../help.js';
import { isOpen } from '../parts/report-sections.js';
import { personPath, rowLink, rowName } from '../parts/row-link.js';
import { whenOr } from '../parts/when.js';

export interface RowsTableOptions<Row> {
  readonly caption: string;
  /** Boxes that choose rows, all of them ticked or none; absent: there are none. */
  readonly boxes?: 'ticked' | 'empty';
  /** False where all rows are one person's. */
  readonly hasLearner?: boolean;
  state(row: Row): HtmlValue;
  /** The last column; absent: why the row is where it is. */
  what?(row: Row): HtmlValue;
  /** A wrong cell of a column as a field; null: it can't be edited here. Absent: none can. */
  edit?(row: Row, column: string | null): Html | null;
}

/** Rows side by side, one line each, with the wrong cell marked; all that is known of a row unfolds. */
export function rowsTable<Row extends ListedRow>(rows: readonly Row[], options: RowsTableOptions<Row>): Html {
  const { boxes, hasLearner = true } = options;
  const all = boxes && html`<td><input type="checkbox" data-all="rows" hidden aria-label="Select page"></td>`;
  const box = (row: Row) =>
    boxes &&
    html`<td><input type="checkbox" name="rows" value="${rowName(row)}" aria-label="Select ${rowName(row)}"${boxes === 'ticked' ? html` checked` : ''}></td>`;
  const titles = ['Row', ...(hasLearner ? ['Learner'] : []), 'Course', 'Completed', 'State', 'What is wrong'];
  const head = html`${all ?? ''}${titles.map((title) => html`<th scope="col">${title}</th>`)}`;
  const body = rows.map((row) => {
    const { learner, content, occurrence } = namesIn(row);
    const edit = (column: string | null) => options.edit?.(row, column) ?? null;
    return html`<tr>${box(row) ?? ''}<th scope="row">${rowLink(row)} <small title="${row.file}"><bdi>${row.file}</bdi>, line ${numberText(row.line)}</small></th>
${hasLearner ? html`<td data-title="Learner">${cell(row, learner, edit, ({ asRead, text }) => (asRead !== null ? html`<a href="${personPath(text)}">${text}</a>` : null))}</td>` : ''}<td data-title="Course">${cell(row, content, edit)}</td><td data-title="Completed">${cell(row, occurrence, edit, ({ asRead }) => (asRead !== null && isoMoment(asRead) !== null ? timeText(asRead, true) : null))}</td>
<td class="short" data-title="State">${options.state(row)}</td><td data-title="What is wrong">${options.what?.(row) ?? reasonCell(row, edit)}</td></tr>
`;
  });
  return tableFrame(options.caption, 'list cards dense', options.caption, head, body);
}

function namesIn({ operation }: ListedRow) {
  const { fields, learner, content, occurrence } = operationNamed(operation);
  return {
    learner: learner?.id ?? fields.find(({ kind }) => kind === 'learner')?.name ?? null,
    content: content.id,
    occurrence,
  };
}

/** A value as it was read, else as the file has it. @param shownAs null: as is. */
function cell(
  row: ListedRow,
  name: string | null,
  edit: (column: string | null) => Html | null,
  shownAs: (value: { readonly asRead: string | null; readonly text: string }) => Html | null = () => null,
): Html {
  const field = row.fields.find((one) => one.name === name);
  const asRead = field?.asRead ?? null;
  const text = asRead ?? field?.inFile ?? '';
  const value =
    text === ''
      ? html`<span class="absent">nothing</span>`
      : (shownAs({ asRead, text }) ?? html`<bdi>${text}</bdi>`);
  if (!isWrong(row, field)) return value;
  return edit(field?.column ?? null) ?? html`<span class="wrong">${value}</span>`;
}

function isWrong(row: ListedRow, field: ListedRow['fields'][number] | undefined): boolean {
  if (field === undefined) return false;
  if (row.cause === 'learner-unknown') return field.name === namesIn(row).learner;
  return row.problems.some(
    ({ column }) => column === field.name || (column !== null && column === field.column),
  );
}

/** The state as selections name it, with its cause, unless all rows have it, and since when. */
export function stateCell({ state, code, cause, since, problems }: ListedRow, ofAll: string | null): Html {
  const help = problems.some((problem) => problem.code === code)
    ? causeHelp({ state: 'invalid', code })
    : isOpen(state)
      ? causeHelp({ state, code })
      : null;
  const codeHtml = help === null ? html`${code}` : html`<a href="${help}" title="What it means">${code}</a>`;
  const why = code === ofAll || (cause === null && problems.length === 0) ? '' : html`${codeHtml} `;
  return html`${state} <small>${why}${whenOr(since, '')}</small>`;
}

/** Why the row is where it is: Registrar's words and the platform's, and what the file has. */
export function reasonCell(row: ListedRow, edit: (column: string | null) => Html | null = () => null): Html {
  const { status, answer, requests, problems, reason } = row;
  const own = Object.values(namesIn(row));
  const others = row.fields.filter((field) => isWrong(row, field) && !own.includes(field.name));
  const platformAnswer =
    requests === 0
      ? ''
      : html`<p>${status === null ? '' : html`<b>${status}</b> `}${answer === null ? '' : html`<q>${answer}</q> `}<small>after ${counted(requests, 'request')}</small></p>`;
  const [first] = problems;
  const short = first?.sentence ?? reason ?? answer ?? 'All fields';
  return html`${others.map(
    ({ column, name, inFile }) =>
      html`<p><small>${column ?? name}</small> ${edit(column) ?? html`<span class="wrong"><bdi>${inFile ?? ''}</bdi></span>`}</p>`,
  )}<details><summary>${sentence(short)}</summary>${problems.map(
    ({ sentence: text, remedy }, index) =>
      html`<p>${index === 0 ? '' : `${sentence(text)} `}<small>${sentence(remedy)}</small></p>`,
  )}${platformAnswer}${allFields(row)}</details>`;
}

/** The fields from columns, as the file has them and as they were read; the rest of the record is on the row's own page. */
function allFields({ fields }: ListedRow): Html {
  const read = fields.filter(({ column }) => column !== null);
  return html`<ul aria-label="All fields">${read.map(
    ({ column, name, inFile, asRead }) =>
      html`<li><small>${column}</small> ${inFile === null || inFile === '' ? html`<span class="absent">nothing</span>` : html`<bdi>${inFile}</bdi>`}${asRead === null || asRead === inFile ? '' : html` <small>read as ${name}</small> <bdi>${asRead}</bdi>`}</li>`,
  )}</ul>`;
}
