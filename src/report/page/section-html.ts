import type { Verdict } from '../../domain/health/verdict.js';
import { MAX_FILES } from '../sections/files.js';
import type { Item, Section, Table } from '../sections/section.js';
import { GLYPHS } from '../sections/verdict.js';
import { counted } from '../text/counted.js';
import type { Links } from './facts.js';
import { type Html, type HtmlValue, html } from './html.js';
import { chip, inFull, richTextHtml, tableFrame } from './words.js';

export function verdictHtml(how: Verdict, content: Html): Html {
  return html`<div class="verdict ${how}" id="verdict" data-part><span class="glyph" aria-hidden="true">${GLYPHS[how]}</span><div>
${content}
</div></div>`;
}

/** @param attributes of the section itself. */
export function sectionHtml(
  { id, title }: { readonly id: string; readonly title: HtmlValue },
  content: Html,
  attributes: HtmlValue = '',
): Html {
  return html`<section id="${id}"${attributes} aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${content}
</section>
`;
}

/** What a section says: its note, its list and its tables. @param otherFiles the files beside the page. */
export function contentHtml(
  { note, items = [], tables = [] }: Section,
  otherFiles: readonly string[],
  links?: Links,
): Html {
  const more = items.length - MAX_FILES;
  return html`${note === undefined ? '' : html`<p class="note">${richTextHtml(note)}</p>`}
${items.length === 0 ? '' : html`<ul class="notices">${items.slice(0, MAX_FILES).map(itemHtml)}</ul>`}
${moreHtml(more, 'entry', otherFiles, links)}${tables
  .filter(({ rows }) => rows.length > 0)
  .map((table) => tableHtml(table, otherFiles, links))}`;
}

function itemHtml({ chip: state, lead, text, note }: Item): Html {
  return html`<li>${state === undefined ? '' : html`${chip(state.tone, state.text)} `}<b>${richTextHtml(lead)}</b> ${richTextHtml(text)}${
    note === undefined ? '' : html` <span class="note">${richTextHtml(note)}</span>`
  }</li>
`;
}

/** A table of a section, of which at most `maxRows` rows are shown. */
export function tableHtml(table: Table, otherFiles: readonly string[], links?: Links): Html {
  const { caption, columns, rows, look = '', isFolded = false, maxRows: listed = rows.length } = table;
  const maxRows = links === undefined ? listed : Math.min(listed, MAX_SERVED);
  const head = columns.map((column) => html`<th scope="col"${classOf(column)}>${column.title}</th>`);
  const body = rows.slice(0, maxRows).map(
    ({ cells, drop }) => html`<tr${drop === undefined ? '' : html` data-drop="${drop}"`}>${cells.map(
      (cell, index) => {
        const { isNumber, isShort, title = '' } = columns[index] ?? {};
        if (index === 0) {
          const text = richTextHtml(cell);
          return html`<th scope="row">${links === undefined || drop === undefined ? text : html`<a href="${links.file(drop)}">${text}</a>`}</th>`;
        }
        const isOfFile = isNumber && look === 'files';
        const value = isOfFile ? numberOfFile(title.toLowerCase(), Number(cell)) : richTextHtml(cell);
        return html`<td${classOf({ isNumber, isShort })} data-title="${title}">${value}</td>`;
      },
    )}</tr>
`,
  );
  const own = look === 'files' ? look : `${look} cards`;
  const whole = tableFrame(`Table: ${caption}`, own, caption, head, body);
  const all = html`${whole}${moreHtml(rows.length - maxRows, 'row', otherFiles, links)}`;
  return isFolded ? html`<details><summary>${caption}</summary>${all}</details>` : all;
}

/** The most rows on a page of the console, which stays small. */
const MAX_SERVED = 40;

function classOf({ isNumber, isShort }: { isNumber?: boolean | undefined; isShort?: boolean | undefined }) {
  return isNumber ? html` class="n"` : isShort ? html` class="short"` : '';
}

function numberOfFile(name: string, value: number): Html {
  return html`<data value="${value}" data-of-file="${name}">${richTextHtml(value)}</data> <small class="narrow">${name}</small>`;
}

function moreHtml(count: number, noun: string, otherFiles: readonly string[], links?: Links): Html {
  if (count <= 0) return html``;
  const what = counted(count, `more ${noun}`).replace('entrys', 'entries');
  return html`<p class="note">${what}: ${links?.whole ?? inFull(otherFiles)}.</p>`;
}
