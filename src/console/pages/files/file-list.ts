import { FILE_STANDINGS, type FileOrder, type FileStanding } from '../../../domain/files/file-standing.js';
import { type Html, html } from '../../../report/page/html.js';
import { counted, numberText } from '../../../report/text/counted.js';
import { clip } from '../../../report/text/layout.js';
import { terms } from '../../../report/words/terms.js';
import { type Address, hrefOf } from '../../visits/address.js';
import type { Visit } from '../../visits/visit.js';
import type { Desk } from '../../work/desk.js';
import { notice } from '../decide/reason.js';
import { type Page, sectionOf } from '../page.js';
import { type Column, filterForm, listTable, orderOf, pager } from '../parts/list-table.js';
import { when } from '../parts/when.js';
import { dropForm } from './drop-form.js';
import { closureWords, dispositionCounts, type ShownFile, standingChip, stateCounts } from './file-words.js';
import { inboxes } from './inboxes.js';

const PAGE_ROWS = 50;

/** As much of a reason as a list bears; the file's own page has all of it. */
const LONGEST_REFUSAL = 160;

/** The files that came in, and what became of each; new ones are dropped in here. */
export const fileListPage: Page = {
  path: '/files',
  async show(visit, desk) {
    const { address } = visit;
    const columns = columnsFor(visit);
    const order = orderOf(address, columns, { key: 'time', isDescending: true });
    const page = pageOf(address);
    const isLeft = !visit.seesPeople && textOf(address, 'name') !== null;
    const { files, total } = await desk.ask('files', {
      source: textOf(address, 'source'),
      name: isLeft ? null : textOf(address, 'name'),
      standing: standingOf(address),
      order: order.key as FileOrder,
      isDescending: order.isDescending,
      page,
      pageRows: PAGE_ROWS,
    });
    const next = page * PAGE_ROWS < total ? String(page + 1) : null;
    return {
      title: 'Files',
      section: '/files',
      isLive: true,
      content: html`${notice(isLeft ? 'Your role can’t search names of files, which may hold a learner’s. Showing all files.' : null)}
${dropForm(visit, desk)}
${await inboxes(visit, desk)}
${sectionOf('came-in', 'Received')`${filterForm(address, filtersOf(visit, desk))}
<div id="files" data-part>
<p class="note">${countText(total, page)}</p>
${files.length === 0 ? nothing(address) : listTable('Received files, with the state of their rows', files, columns, address, order)}
${pager(address, next, 'page')}
</div>`}`,
    };
  },
};

function columnsFor(visit: Visit): readonly Column<ShownFile>[] {
  return [
    { key: 'name', title: 'File', cell: nameCell },
    { key: 'source', title: 'Source', cell: ({ source }) => html`<bdi>${source}</bdi>` },
    { key: 'time', title: 'Received', cell: ({ takenAt }) => when(visit, takenAt) },
    {
      key: 'rows',
      title: 'Rows',
      isNumber: true,
      cell: ({ rows }) => rows ?? html`<span class="absent">none</span>`,
    },
    { title: 'Result', cell: madeCell },
    { title: 'Submissions', cell: stateCounts },
  ];
}

function nameCell({ drop: dropId, file, standing }: ShownFile): Html {
  return html`<a href="/files/${dropId}"><bdi>${file}</bdi></a> ${standing === 'taken-in' ? '' : standingChip(standing)}`;
}

function madeCell(file: ShownFile): Html {
  if (file.refusal === null) return dispositionCounts(file);
  return html`${clip(file.refusal, LONGEST_REFUSAL)} ${closureWords(file)}`;
}

function filtersOf({ seesPeople }: Visit, desk: Desk) {
  const { sources } = desk.context().config;
  return [
    ...(seesPeople ? [{ name: 'name', label: 'Name' }] : []),
    {
      name: 'source',
      label: 'Source',
      choices: sources.map(({ name }) => ({ value: name, label: name })),
    },
    {
      name: 'state',
      label: 'State',
      choices: FILE_STANDINGS.map((value) => ({ value, label: terms().standings[value][1] })),
    },
  ];
}

function nothing({ path, query }: Address): Html {
  const isNarrowed = ['name', 'source', 'state', 'page'].some((name) => (query[name] ?? '') !== '');
  return isNarrowed
    ? html`<p class="empty">No file matches. <a href="${hrefOf({ path, query: {} })}">Show all files</a></p>`
    : html`<p class="empty">No files yet. Put one into the inbox of a source, or upload one here.</p>`;
}

function countText(total: number, page: number): string {
  if (total <= PAGE_ROWS) return counted(total, 'file');
  const first = (page - 1) * PAGE_ROWS + 1;
  const last = Math.min(page * PAGE_ROWS, total);
  return `${numberText(first)} to ${numberText(last)} of ${counted(total, 'file')}`;
}

function pageOf({ query }: Address): number {
  const page = /^\d{1,6}$/.test(query.page ?? '') ? Number(query.page) : 1;
  return Math.max(1, page);
}

function textOf({ query }: Address, name: string): string | null {
  const text = (query[name] ?? '').trim();
  return text === '' ? null : text;
}

function standingOf({ query }: Address): FileStanding | null {
  return FILE_STANDINGS.find((standing) => standing === query.state) ?? null;
}
