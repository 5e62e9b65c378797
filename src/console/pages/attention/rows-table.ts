import type { RowsPage } from '../../../actions/browse/browse-rows.js';
import { type Html, html } from '../../../report/page/html.js';
import { scrollable } from '../../../report/page/words.js';
import { counted, numberText } from '../../../report/text/counted.js';
import { hrefOf } from '../../visits/address.js';
import type { Visit } from '../../visits/visit.js';
import { rowLink, rowName } from '../parts/row-link.js';
import { whenOr } from '../parts/when.js';

type Row = RowsPage['rows'][number];

/** Rows side by side: as the file has them, as they were read, and what was said of them. @param isTicked for the boxes. */
export function rowsTable(visit: Visit, rows: readonly Row[], isTicked: boolean): Html {
  const { address, mayAct } = visit;
  const isDescending = address.query.sort === '-place';
  const sort = hrefOf(address, { sort: isDescending ? null : '-place', after: null });
  const ticked = isTicked ? html` checked` : '';
  const head = mayAct
    ? html`<td><input type="checkbox" data-all="rows" hidden aria-label="Select page"></td>`
    : '';
  const box = (row: Row) =>
    mayAct
      ? html`<td><input type="checkbox" name="rows" value="${rowName(row)}" aria-label="Select ${rowName(row)}"${ticked}></td>`
      : '';
  return scrollable(
    'Table of the rows',
    html`<table class="list cards"><caption><span>Rows in the order of files and lines</span></caption>
<thead><tr>${head}<th scope="col" aria-sort="${isDescending ? 'descending' : 'ascending'}"><a href="${sort}">Row <span aria-hidden="true">${isDescending ? '↓' : '↑'}</span></a></th><th scope="col">State</th><th scope="col">In the file</th><th scope="col">Interpreted as</th><th scope="col">Reply</th></tr></thead>
<tbody>${rows.map(
      (
        row,
      ) => html`<tr>${box(row)}<th scope="row">${rowLink(row)}<br><small><bdi>${row.file}</bdi>, line ${numberText(row.line)}</small></th>
<td class="short" data-title="State">${row.state}<br><small>${row.code === row.state ? '' : html`${row.code} `}${whenOr(visit, row.since, '')}</small></td>
<td data-title="In the file">${inFile(row)}</td><td data-title="Interpreted as">${asRead(row)}</td><td data-title="Reply">${said(row)}</td></tr>
`,
    )}</tbody></table>`,
  );
}

function inFile({ fields }: Row): Html {
  const read = fields.filter(({ column }) => column !== null);
  return html`<ul>${read.map(
    ({ column, inFile: text }) =>
      html`<li><small>${column}</small> ${text === null || text === '' ? html`<span class="absent">nothing</span>` : html`<bdi>${text}</bdi>`}</li>`,
  )}</ul>`;
}

/** The values from columns; the rest of the record is on the row's own page. */
function asRead({ fields }: Row): Html {
  const made = fields.filter((field) => field.asRead !== null && field.column !== null);
  if (made.length === 0) return html`<span class="absent">no record</span>`;
  return html`<ul>${made.map((field) => html`<li><small>${field.name}</small> <bdi>${field.asRead}</bdi></li>`)}</ul>`;
}

/** The platform's words, and why the row is no record. */
function said({ status, answer, requests, problems, reason }: Row): Html {
  return html`${reason === null ? '' : html`<p>${reason}</p>`}${problems.map(
    ({ sentence, remedy }) => html`<p>${sentence} <b>${remedy}</b></p>`,
  )}${
    requests === 0
      ? ''
      : html`<p>${status === null ? '' : html`<b>${status}</b> `}${answer === null ? '' : html`<q>${answer}</q> `}<small>after ${counted(requests, 'request')}</small></p>`
  }`;
}
