import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { QueryRequest } from '../../../actions/browse/queries.js';
import { html } from '../../../report/page/html.js';
import { PAGE_POLICY } from '../../../report/page/html-page.js';
import { type Address, hrefOf, type Visit } from '../../work/visit.js';
import { type Page, SEE_ROWS, streamOfPieces } from '../page.js';
import { choicesOf } from '../parts/fields.js';
import { filterForm } from '../parts/list-table.js';
import { NUMBER, parseTime } from '../parts/parse-params.js';
import { reportSections } from '../parts/report-sections.js';

type Selection = QueryRequest<'reportFacts'>['selection'];

const FILES = {
  html: {
    name: 'report.html',
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // The page has its style within it, which the policy of the console would forbid.
      'content-security-policy': `${PAGE_POLICY}; frame-ancestors 'none'`,
    },
  },
  xlsx: {
    name: 'attention.xlsx',
    headers: { 'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  },
  json: { name: 'report.json', headers: { 'content-type': 'application/json' } },
} as const;

/** The report of what came in: all of it, or what the address says by `source`, `file`, `since` and `until`. */
export const reportPage: Page = {
  path: '/report',
  async show(visit) {
    const { sources } = visit.actionContext().config;
    const { address } = visit;
    const { source = '', file = '', since = '', until = '' } = address.query;
    return {
      title: 'Report',
      section: '/runs',
      content: html`${filterForm(address, [
        { name: 'source', label: 'Source', choices: choicesOf(sources.map(({ name }) => name)) },
        { name: 'file', label: 'File name' },
        { name: 'since', label: 'Received from (UTC)', isDay: true },
        { name: 'until', label: 'Received before (UTC)', isDay: true },
      ])}
${visit.seesPeople ? html`<p><a href="${hrefOf({ ...address, path: '/report.html' })}">Report to pass on</a></p>` : ''}`,
      rest: sections(visit, selectionOf(address), source === '' ? { file, since, until } : null),
    };
  },
};

/** @param of the rows as their list names them; null: it has no words for them. */
async function sections(visit: Visit, selection: Selection, of: Readonly<Record<string, string>> | null) {
  const facts = await visit.query('reportFacts', { selection });
  return reportSections(visit, facts, of, {
    whole: html`see <a href="/files">Files</a>`,
    without: ['settings'],
  });
}

/** Throws OperatorError for an invalid time. */
function selectionOf({ query: { source, file, since, until } }: Address): Selection {
  return {
    source: source?.trim() || undefined,
    fileName: file?.trim() || undefined,
    since: parseTime(since) ?? undefined,
    until: parseTime(until) ?? undefined,
  };
}

/** A run's files: its report to pass on; its correction workbook and its report as JSON, which hold personal data. */
export const runReportFiles: readonly Page[] = (['html', 'xlsx', 'json'] as const).map((format) => ({
  path: `/runs/:run${NUMBER}/${FILES[format].name}`,
  roles: SEE_ROWS,
  show: async (visit) => sent(visit, { runId: Number(visit.params.run) }, format),
}));

/** The report to pass on of what came in, as the address of `reportPage` says it. */
export const reportDocumentPage: Page = {
  path: '/report.html',
  roles: SEE_ROWS,
  show: async (visit) => sent(visit, selectionOf(visit.address), 'html'),
};

async function sent(visit: Visit, selection: Selection, format: keyof typeof FILES): Promise<Response> {
  const { path, folder } = await visit.query('reportFile', { selection, format });
  const { name, headers } = FILES[format];
  const disposition = { 'content-disposition': `attachment; filename="run-${selection.runId}.${name}"` };
  try {
    const file = await open(path);
    const { size } = await file.stat();
    return new Response(streamOfPieces(createReadStream(path, { fd: file })), {
      headers: { 'content-length': String(size), ...(format === 'html' ? {} : disposition), ...headers },
    });
  } finally {
    // What is open can be read to its end without a name, and nothing stays behind where the reader goes away.
    await rm(folder, { recursive: true, force: true });
  }
}
