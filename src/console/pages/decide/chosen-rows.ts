import type { DismissPlan } from '../../../actions/dismiss.js';
import { describeSelection, type Selection } from '../../../domain/selection.js';
import { type Html, html } from '../../../report/page/html.js';
import { scrollable } from '../../../report/page/words.js';
import { counted, numberText } from '../../../report/text/counted.js';
import type { Shown } from '../page.js';
import { rowLink } from '../parts/row-link.js';

type Selected = DismissPlan['first'][number];
type LeftOut = DismissPlan['leftOut'][number];

/** The rows of a plan. */
export interface ChosenRows {
  readonly first: readonly Selected[];
  readonly rows: Pick<DismissPlan['rows'], 'total' | 'groups'>;
  readonly leftOut: readonly LeftOut[];
}

/** The first rows of a plan, where there are more the number for each cause, and which of the named rows are left out. */
export function chosenRows(
  { first, rows, leftOut }: ChosenRows,
  {
    noteOn = () => '',
    instead = {},
  }: {
    readonly noteOn?: (row: Selected) => string;
    /** What to do with rows in a state that can't be chosen. */
    readonly instead?: Readonly<Record<string, string>>;
  } = {},
): Html {
  const more = rows.total - first.length;
  return html`${leftOutList(leftOut, instead)}
${
  first.length === 0
    ? ''
    : html`<section aria-labelledby="rows"><h2 id="rows">${more > 0 ? `The first ${numberText(first.length)} of ${counted(rows.total, 'row')}` : 'The rows'}</h2>
${scrollable(
  'Table of the rows',
  html`<table class="list"><caption><span>Selected rows</span></caption>
<thead><tr><th scope="col">Row</th><th scope="col">State</th><th scope="col">Cause</th><th scope="col">From</th><th scope="col">Note</th></tr></thead>
<tbody>${first.map(
    (
      row,
    ) => html`<tr><th scope="row">${rowLink({ submission: row.submissionId, drop: row.drop, line: row.line })}</th><td class="short">${row.state}</td><td class="short">${row.code}</td><td><bdi>${row.file}</bdi>, line ${numberText(row.line)}</td><td>${noteOn(row)}</td></tr>
`,
  )}</tbody></table>`,
)}
${more > 0 ? causeList(rows) : ''}</section>`
}`;
}

/** The page where no row fits. */
export function noneFits(title: string, selection: Selection | null, leftOut: Html): Shown {
  return {
    title,
    section: '/attention',
    content: html`<p class="empty">No row matches${selection === null ? '' : `: ${describeSelection(selection)}`}. There is nothing to do.</p>
${leftOut}
<p><a href="/attention">Needs attention</a></p>`,
  };
}

/** The page where nobody has said which rows are meant. */
export function noneChosen(title: string): Shown {
  return {
    title,
    section: '/attention',
    status: 400,
    content: html`<p class="empty">No rows are selected. Tick rows of <a href="/attention">a cause</a>, or take all of them.</p>`,
  };
}

/** Which of the named rows are left out, and why. */
export function leftOutList(leftOut: readonly LeftOut[], instead: Readonly<Record<string, string>>): Html {
  if (leftOut.length === 0) return html``;
  return html`<section aria-labelledby="left-out"><h2 id="left-out">Left out</h2>
<ul>${leftOut.map(({ submissionId, file, line, state }) => {
    const name = file === null ? `#${submissionId}` : `${file}:${line}`;
    return html`<li><bdi>${name}</bdi> is ${state}. ${instead[state] ?? ''}</li>`;
  })}</ul></section>`;
}

function causeList({ groups }: ChosenRows['rows']): Html {
  const sums = new Map<string, number>();
  for (const { state, code, rows } of groups) {
    const cause = `${state}, ${code}`;
    sums.set(cause, (sums.get(cause) ?? 0) + rows);
  }
  return html`<p>All rows by cause:</p><ul>${[...sums].map(([cause, rows]) => html`<li>${numberText(rows)} ${cause}</li>`)}</ul>`;
}
