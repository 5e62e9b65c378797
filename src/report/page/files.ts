import { DISPOSITIONS } from '../../domain/row.js';
import { STATES } from '../../domain/submission.js';
import type { DropSummary } from '../../ledger/books/files/drop-list.js';
import { commandLine } from '../text/command-line.js';
import { clip } from '../text/layout.js';
import { fileNotes } from '../words/file-notes.js';
import { otherNames } from '../words/file-words.js';
import type { PageFacts } from './facts.js';
import { type Html, html } from './html.js';
import { counted, inFull, numberText, scrollable } from './words.js';

/** The most files on the page; a report over years may have more, and its JSON has all of them. */
const MOST_FILES = 150;

/** The most characters of the reason beside a file; `rejected/` has all of it. */
const LONGEST_REFUSAL = 500;

/**
 * Every file with the dispositions of its rows and their present states. Files that were set aside come first, with the
 * reason.
 */
export function files({ report, otherFiles }: PageFacts): Html {
  const aside = report.files.filter(({ state }) => state === 'refused');
  const others = report.files.filter(({ state }) => state !== 'refused');
  return html`${aside.length > 0 ? setAside(aside.slice(0, MOST_FILES)) : ''}
${others.length > 0 ? scrollable('Table of files', table(others.slice(0, MOST_FILES))) : ''}
${more(report.files.length - Math.min(aside.length, MOST_FILES) - Math.min(others.length, MOST_FILES), otherFiles)}`;
}

function more(count: number, otherFiles: readonly string[]): Html {
  return count > 0
    ? html`<p class="note">${counted(count, 'more file')}: ${inFull(otherFiles)}.</p>`
    : html``;
}

function setAside(drops: readonly DropSummary[]): Html {
  return html`<ul class="aside" aria-label="Files set aside">${drops.map(
    ({
      file,
      source,
      refusal,
      drop: dropId,
      closure,
    }) => html`<li><span class="chip ${closure === null ? 'bad' : 'good'}">set aside</span> <b><bdi>${file}</bdi></b> of source ${source}: ${clip(
      refusal ?? '',
      LONGEST_REFUSAL,
    )} <span class="note">${closed(dropId, source, closure)}</span></li>
`,
  )}</ul>`;
}

/** How a set-aside file was closed. The reason that a person gave is left out, because it may name somebody. */
function closed(dropId: number, source: string, closure: DropSummary['closure']): Html {
  if (closure === null) {
    return html`It is in <code>rejected/${source}/</code>; none of its rows were imported. It is listed until its rows are imported or <code>${commandLine({ action: 'dismiss', drop: dropId })}</code> closes it.`;
  }
  return closure.kind === 'came-in'
    ? html`Its rows were imported later, with drop ${closure.drop}.`
    : html`It was dismissed, by decision ${closure.decision}.`;
}

function table(drops: readonly DropSummary[]): Html {
  const hasNotes = drops.some((drop) => noteText(drop) !== '');
  return html`<table class="files"><caption><span>Rows of each file by result, and their submissions by state</span></caption>
<thead>
<tr><th scope="col">File</th><th scope="col" class="n">Rows</th><th scope="col">Result</th><th scope="col">Submissions</th>${hasNotes ? html`<th scope="col">Note</th>` : ''}</tr></thead>
<tbody>${drops.map(
    (
      drop,
    ) => html`<tr data-drop="${drop.drop}"><th scope="row"><bdi>${drop.file}</bdi><small>${drop.source} · drop ${drop.drop}</small></th><td class="n">${number('rows', drop.rows ?? 0)} <small class="narrow">rows</small></td><td>${counts('dispositions', DISPOSITIONS, drop.dispositions)}</td><td>${counts('states', STATES, drop.states)}</td>${hasNotes ? html`<td class="about">${noteText(drop)}</td>` : ''}</tr>
`,
  )}</tbody></table>`;
}

/** The counts that aren't zero, in a line that wraps: a table with a column for each would hide some on most screens. */
function counts<Name extends string>(
  kind: string,
  names: readonly Name[],
  found: Readonly<Partial<Record<Name, number>>>,
): Html {
  const shown = names.filter((name) => (found[name] ?? 0) > 0);
  if (shown.length === 0) return html`<span class="absent">none</span>`;
  return html`<span class="counts">${shown.map(
    (name) => html`<span>${number(`${kind}.${name}`, found[name] ?? 0)} ${name}</span> `,
  )}</span>`;
}

function number(name: string, value: number): Html {
  return html`<data value="${value}" data-of-file="${name}">${numberText(value)}</data>`;
}

function noteText(drop: DropSummary): string {
  if (drop.state === 'staging') return 'being staged';
  const again =
    drop.repeatedArrivals > 0
      ? [`came in again${otherNames(drop)} ${times(drop.repeatedArrivals)}: nothing new`]
      : [];
  return fileNotes(drop, again);
}

function times(count: number): string {
  return count === 1 ? 'once' : `${numberText(count)} times`;
}
