import type { ShownField, ShownRow } from '../../documents/rows.js';
import type { Choice, Remedy } from '../../domain/remedy.js';
import { commandLine } from '../text/command-line.js';
import { counted, numberText } from '../text/counted.js';
import { sentence } from '../text/sentence.js';
import { causeAdvice, OPERATOR } from '../words/cause-advice.js';
import { type CauseSample, type Links, MAX_SAMPLED, type PageFacts } from './facts.js';
import { type Html, html, renderHtml } from './html.js';
import { fileLink, inFull, scrollable } from './words.js';

/** The most bytes of rows: with everything else at its longest the page stays under two megabytes. */
const ROWS_BYTES = 450_000;

/** Why rows need attention, most rows first: what happened, the owner and the remedy, and the first rows of each cause. */
export function causes(facts: PageFacts): Html {
  let left = ROWS_BYTES;
  const cards = facts.causes.slice(0, MAX_SAMPLED).map((sample, index) => {
    const fitting: Html[] = [];
    for (const row of sample.rows) {
      const markup = rowGroup(row);
      left -= Buffer.byteLength(renderHtml(markup));
      if (left < 0) break;
      fitting.push(markup);
    }
    return card(facts, sample, index, fitting);
  });
  const unshown = facts.causes.length - cards.length;
  const { links } = facts;
  return html`${links === undefined ? html`<p class="lead">Commands are given in the workspace folder; with <code>--dry-run</code> a rerun only lists what it would send.</p>` : ''}
${cards}
${unshown > 0 ? html`<p class="note">${counted(unshown, 'further cause')} with fewer rows: ${links?.whole ?? inFull(facts.otherFiles)}.</p>` : ''}`;
}

function card(facts: PageFacts, { cause, rows }: CauseSample, index: number, fitting: readonly Html[]): Html {
  const id = causeId(index);
  const { who, remedies, choices, correctable } = causeAdvice(cause, facts.report.selection);
  const { links } = facts;
  const href = links?.cause(cause) ?? null;
  const reason = sentence(cause.reason);
  return html`<article class="cause" id="${id}" aria-labelledby="${id}-title">
<p class="big"><b${cause.count < 100_000 ? '' : html` class="long"`}>${numberText(cause.count)}</b> <span>${cause.count === 1 ? 'row' : 'rows'}</span></p>
<div>
<h3 id="${id}-title">${href === null ? reason : html`<a href="${href}">${reason}</a>`}</h3>
<p class="meta">${cause.states.map((state) => stateCount(cause.code, state))} <code>${cause.code}</code> <span>for example <bdi>${cause.example}</bdi></span></p>
<p>${sentence(cause.remedy)}</p>
<p class="who">For <b>${who}</b>${correctable ? correctIn(facts) : ''}.</p>
${filesOf(facts, cause)}
${links === undefined ? commands(cause.code, remedies, choices) : buttons(links, remedies, choices)}
${fitting.length > 0 ? rowsOf(facts, { cause, rows }, fitting, index) : ''}
</div>
</article>
`;
}

function buttons({ remedy: link }: Links, remedies: readonly Remedy[], choices: readonly Choice[]): Html {
  if (remedies.length + choices.length === 0) return html``;
  return html`<p class="buttons">${remedies.map((remedy) => html`${link(remedy)} `)}${choices.map(({ when, remedy }) => html`<small>${when}:</small> ${link(remedy)} `)}</p>`;
}

function commands(code: string, remedies: readonly Remedy[], choices: readonly Choice[]): Html {
  return html`${remedies.length > 0 ? html`<pre tabindex="0" role="region" aria-label="Commands for ${code}"><code>${remedies.map((remedy, line) => [line === 0 ? '' : LINE_END, commandLine(remedy)])}</code></pre>` : ''}
${choices.length > 0 ? html`<ul class="choices">${choices.map(({ when, remedy }) => html`<li>${when}: <code>${commandLine(remedy)}</code></li>`)}</ul>` : ''}`;
}

/** The files that have such rows, with the number of each: the numbers add up to the cause's rows. */
function filesOf({ attentionFile, links }: PageFacts, { drops }: CauseSample['cause']): Html {
  const shown = drops.slice(0, MAX_FILES);
  const rest = drops.slice(MAX_FILES);
  const left = rest.reduce((sum, { count }) => sum + count, 0);
  return html`<ul class="where" aria-label="Files">${shown.map(
    ({ drop: dropId, file, count }) =>
      html`<li><b>${counted(count, 'row')}</b> in ${links === undefined ? html`<bdi>${file}</bdi>` : html`<a href="${links.file(dropId)}"><bdi>${file}</bdi></a>`} (drop ${String(dropId)}${attentionFile === null ? '' : html`: ${fileLink(attentionFile(dropId))}`})</li>`,
  )}${rest.length > 0 ? html`<li><b>${counted(left, 'row')}</b> in ${counted(rest.length, 'more file')}</li>` : ''}</ul>`;
}

/** The most files on a card; the report's JSON has all of them. */
const MAX_FILES = 8;

const LINE_END = html`
`;

function stateCount(code: string, { state, count }: { state: ShownRow['state']; count: number }): Html {
  return html`<span class="chip bad"><data value="${count}" data-figure="cause" data-code="${code}" data-state="${state}">${numberText(count)}</data> ${state}</span> `;
}

/** The anchor of a cause, to which sentences link. */
export function causeId(index: number): string {
  return `cause-${index + 1}`;
}

function correctIn({ attentionFile, guideFile }: PageFacts): Html {
  if (guideFile !== null) {
    return html`: work on them in ${fileLink(guideFile)}, and drop it into the source’s inbox`;
  }
  if (attentionFile === null) return html``;
  return html`: correct the rows in the attention file of each file below, and drop it into the source’s inbox`;
}

function rowsOf(facts: PageFacts, { cause }: CauseSample, fitting: readonly Html[], index: number): Html {
  const more = cause.count - fitting.length;
  const summary =
    more > 0
      ? `The first ${numberText(fitting.length)} of ${counted(cause.count, 'row')}`
      : counted(fitting.length, 'row');
  const caption = `What the file holds, beside ${isRead(cause) ? 'what was read from it; what differs is marked' : 'what could not be read'}`;
  return html`<details${index === 0 ? html` open` : ''}><summary>${summary}</summary>
${scrollable(
  `Rows: ${cause.code}`,
  html`<table class="rows"><caption><span>${caption}</span></caption>
<thead><tr><th scope="col">Column</th><th scope="col">In the file</th><th scope="col">${isRead(cause) ? 'As sent or to be sent' : 'As read'}</th></tr></thead>
${fitting}</table>`,
)}
${more > 0 ? html`<p class="note">${counted(more, 'more row')}: in ${moreIn(facts, cause)}.</p>` : ''}</details>`;
}

function moreIn({ attentionFile, guideFile, report }: PageFacts, cause: CauseSample['cause']): Html {
  // The workbook has no sheet for the operator.
  if (guideFile !== null && causeAdvice(cause, report.selection).who !== OPERATOR) return fileLink(guideFile);
  return attentionFile === null
    ? html`the attention files (<code>registrar report --format csv</code>)`
    : html`the attention files named above`;
}

function rowGroup(row: ShownRow): Html {
  const facts = [
    row.status === null ? '' : `HTTP ${row.status}`,
    row.state === 'invalid' ? '' : counted(row.requests, 'request'),
    row.errorId === null ? '' : `error ${row.errorId}`,
  ].filter((fact) => fact !== '');
  return html`<tbody><tr class="place"><th scope="rowgroup" colspan="3"><span><bdi>${row.file}</bdi>, line ${numberText(row.line)}</span> ${stateChip(row.state)} <small>${facts.join(' · ')}</small>${
    row.answer === null ? '' : html`<q class="said">${row.answer}</q>`
  }${row.problems.map(
    ({ sentence: problem, remedy }) =>
      html`<span class="problem">${sentence(problem)} <i>${sentence(remedy)}</i></span>`,
  )}</th></tr>
${row.fields.filter(({ column }) => column !== null).map((field) => fieldLine(field, row.state))}${besides(row)}</tbody>
`;
}

function fieldLine({ name, column, inFile, asRead }: ShownField, state: ShownRow['state']): Html {
  const isChanged = asRead !== null && asRead !== inFile;
  return html`<tr><th scope="row"><bdi>${column}</bdi> <small>${name}</small></th><td>${value(inFile, 'not kept')}</td><td${
    isChanged ? html` class="changed"` : ''
  }>${value(asRead, state === 'invalid' ? 'no record' : 'not sent')}</td></tr>
`;
}

function value(text: string | null, absent: string): Html {
  if (text === null || text === '') {
    return html`<span class="absent">${text === null ? absent : 'empty'}</span>`;
  }
  return html`<bdi>${text}</bdi>`;
}

/** Fields that no column gives, in one line, because they are the same for every row of the source. */
function besides({ fields }: ShownRow): Html {
  const given = fields.filter(({ column }) => column === null);
  if (given.length === 0) return html``;
  return html`<tr class="besides"><th scope="row">Set by the source</th><td colspan="2">${given.map(
    ({ name, asRead }, index) => [index === 0 ? '' : ', ', html`${name}: ${asRead}`],
  )}</td></tr>
`;
}

/** True where the cause's rows became records. */
function isRead({ states }: CauseSample['cause']): boolean {
  return states.every(({ state }) => state !== 'invalid');
}

function stateChip(state: ShownRow['state']): Html {
  return html`<span class="chip bad">${state}</span>`;
}
