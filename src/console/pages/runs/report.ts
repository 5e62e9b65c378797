import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReportPageAsked } from '../../../actions/browse/report-page.js';
import { html } from '../../../report/page/html.js';
import { PAGE_POLICY } from '../../../report/page/html-page.js';
import type { ConsoleContext } from '../../work/console-context.js';
import { type Page, sectionOf } from '../page.js';
import { momentIn, numberOf } from '../parts/number-in.js';

export const runReportPage: Page = {
  path: '/runs/:run/report',
  async show(visit, context) {
    const runId = numberOf(visit.params.run, 'run');
    return pageOf(context, { runId }, `/runs/${runId}`);
  },
};

/** The report of what came in: all of it, or what the address says by `source`, `file`, `since` and `until`. */
export const reportPage: Page = {
  path: '/report',
  async show(visit, context) {
    const { source, file, since, until } = visit.address.query;
    const selection = {
      ...(isGiven(source) ? { source } : {}),
      ...(isGiven(file) ? { fileName: file } : {}),
      ...(isGiven(since) ? { since: momentIn(since) } : {}),
      ...(isGiven(until) ? { until: momentIn(until) } : {}),
    };
    return pageOf(context, selection, '/reports');
  },
};

/** A run's correction workbook and its report as JSON, which hold personal data. */
export const runReportFiles: readonly Page[] = [
  fileDocument('attention.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'),
  fileDocument('report.json', 'application/json'),
];

async function pageOf(
  context: ConsoleContext,
  selection: ReportPageAsked['selection'],
  backTo: string,
): Promise<Response> {
  return new Response(await context.query('reportPage', { selection, backTo }), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // The page has its style within it, which the policy of the console would forbid.
      'content-security-policy': `${PAGE_POLICY}; frame-ancestors 'none'`,
    },
  });
}

function fileDocument(name: 'attention.xlsx' | 'report.json', type: string): Page {
  const format = name === 'report.json' ? 'json' : 'xlsx';
  return {
    path: `/runs/:run/${name}`,
    roles: ['operator', 'auditor'],
    async show(visit, context) {
      const runId = numberOf(visit.params.run, 'run');
      const { path, folder } = await context.query('reportFile', { selection: { runId }, format });
      try {
        const file = await open(path);
        const { size } = await file.stat();
        const content = Readable.toWeb(createReadStream(path, { fd: file })) as ReadableStream<Uint8Array>;
        return new Response(content, {
          headers: {
            'content-type': type,
            'content-length': String(size),
            'content-disposition': `attachment; filename="run-${runId}.${name}"`,
          },
        });
      } finally {
        // What is open can be read to its end without a name, and nothing stays behind where the reader goes away.
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

export const chooseReportPage: Page = {
  path: '/reports',
  async show(_visit, context) {
    const { sources } = context.actionContext().config;
    return {
      title: 'Report',
      section: '/runs',
      content: sectionOf('choose', 'Scope')`
<p class="second">Leave a field empty for all. You can share the address of a report.</p>
<form method="get" action="/report">
<p class="field"><label for="source">Source</label>
<select id="source" name="source"><option value="">all</option>${sources.map(({ name }) => html`<option>${name}</option>`)}</select></p>
<p class="field"><label for="file">File name</label>
<input id="file" name="file" type="text" maxlength="300" autocomplete="off"></p>
<p class="field"><label for="since">Received from (UTC)</label>
<input id="since" name="since" type="date"></p>
<p class="field"><label for="until">Received before (UTC)</label>
<input id="until" name="until" type="date"></p>
<p class="buttons"><button>Show the report</button></p>
</form>`,
    };
  },
};
