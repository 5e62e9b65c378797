import { cellText } from '../../../domain/row.js';
import { type Html, html } from '../../../report/page/html.js';
import { scrollable } from '../../../report/page/words.js';
import { numberText } from '../../../report/text/counted.js';
import type { Trace } from '../../../report/trace/trace.js';
import type { Visit } from '../../visits/visit.js';
import { causeHelp } from '../help.js';
import { sectionOf } from '../page.js';
import { rowPath } from '../parts/row-link.js';
import { when } from '../parts/when.js';
import { decisionText } from './decision-text.js';

type TracedRow = Trace['rows'][number];

/** A row as the file has it, what is wrong with it, and how each field was read. */
export function readingSection(visit: Visit, row: TracedRow, index: number): Html {
  const { drop, file, line, sheet, source, takenAt, issues } = row;
  const place = html`<a href="/files/${drop}"><bdi>${file}</bdi></a>, line ${numberText(line)}`;
  return sectionOf(`reading-of-${index}`, html`In the file: ${place}`)`
<p class="second">${sheet === null ? '' : html`Sheet <bdi>${sheet}</bdi>. `}Source <bdi>${source}</bdi>, imported ${when(visit, takenAt)}. ${fate(visit, row)}</p>
${issues.length === 0 ? '' : html`<ul class="issues">${issues.map(({ code, message, remedy }) => html`<li><b><a href="${causeHelp({ state: 'invalid', code })}" title="What it means">${code}</a></b>: ${message ?? 'its text was erased'}. What to do: ${remedy}.</li>`)}</ul>`}
${fieldTable(row)}
${otherCells(row)}
${settingsNote(row)}`;
}

function fate(visit: Visit, row: TracedRow): Html {
  const { correctedBy } = row;
  if (correctedBy === null) return became(visit, row);
  return html`${became(visit, row)} Its cells were corrected by ${decisionText(visit, correctedBy)}.`;
}

function became(visit: Visit, { disposition, submission, resolution }: TracedRow): Html {
  if (disposition === 'duplicate' && submission !== null)
    return html`It repeats <a href="${rowPath(String(submission))}">#${submission}</a>.`;
  // The state of a staged row is above, with what comes next.
  if (resolution === null) return disposition === 'staged' ? html`` : html`It is ${disposition}.`;
  return html`It was ${disposition}, and is ${resolvedText(resolution)}: ${decisionText(visit, resolution.decision)}.`;
}

function resolvedText({ submission, decision }: NonNullable<TracedRow['resolution']>): Html {
  if (submission !== null) return html`now <a href="${rowPath(String(submission))}">#${submission}</a>`;
  return decision.kind === 'restage' ? html`now skipped by policy` : html`resolved`;
}

function fieldTable({ fields, line, drop }: TracedRow): Html {
  if (fields.length === 0) return html``;
  return scrollable(
    `How line ${line} of drop ${drop} was read`,
    html`<table class="list"><caption><span>How each field was read</span></caption>
<thead><tr><th scope="col">Field</th><th scope="col">Column</th><th scope="col">In the file</th><th scope="col">Interpreted as</th><th scope="col">How</th></tr></thead>
<tbody>${fields.map(
      ({ field, column, before, after, rule }) =>
        html`<tr><th scope="row">${field}</th><td>${column ?? html`<span class="absent">none</span>`}</td><td>${shown(before)}</td><td>${shown(after === null ? null : String(after))}</td><td>${rule}</td></tr>
`,
    )}</tbody></table>`,
  );
}

function shown(text: string | null): Html {
  return text === null || text === '' ? html`<span class="absent">nothing</span>` : html`<bdi>${text}</bdi>`;
}

/** Cells that feed no field; all of them where the fields are not explained. */
function otherCells({ cells, fields }: TracedRow): Html {
  if (cells === null) return html`<p class="note">Its cells were erased.</p>`;
  const read = new Set(fields.map(({ column }) => column));
  const rest = cells.filter(({ column, value }) => !read.has(column) && cellText(value) !== '');
  if (rest.length === 0) return html``;
  return html`<h3>Other cells</h3><dl class="pairs">${rest.map(
    ({ column, value }) =>
      html`<dt>${column === '' ? 'without a header' : html`<bdi>${column}</bdi>`}</dt><dd><bdi>${cellText(value)}</bdi></dd>`,
  )}</dl>`;
}

function settingsNote({ settings, fields }: TracedRow): Html {
  if (fields.length === 0 || settings === 'same') return html``;
  return settings === 'changed'
    ? html`<p class="note">The source’s settings have changed since: the rules are today’s.</p>`
    : html`<p class="note">The rules are today’s; the file is too large to check for changed settings.</p>`;
}
