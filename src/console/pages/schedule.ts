import type { QueryResult } from '../../actions/browse/queries.js';
import { durationText } from '../../config/values/duration.js';
import { jobName } from '../../config/values/job-name.js';
import { isoFromMs } from '../../domain/clock.js';
import { type Html, html } from '../../report/page/html.js';
import { nextSlotMs } from '../../report/status/slots.js';
import { counted } from '../../report/text/counted.js';
import type { Visit } from '../work/visit.js';
import { type Page, sectionOf } from './page.js';
import { type Column, listTable } from './parts/list-table.js';
import { when, whenOr } from './parts/when.js';

export const schedulePage: Page = {
  path: '/schedule',
  async show(visit) {
    const found = await visit.query('schedule', {});
    return {
      title: 'Schedule',
      section: '/schedule',
      isLive: true,
      content: html`<div id="schedule" data-part>
${sectionOf('service', 'The service')`${service(found)}`}
${sectionOf('lines', 'Schedule')`
${timed(visit, found)}`}
${sectionOf('inboxes', 'Watched folders')`${listTable('Inboxes of the sources', found.inboxes, INBOX_COLUMNS)}`}
${remoteInboxes(found)}
</div>`,
    };
  },
};

type ScheduleFacts = QueryResult<'schedule'>;

function service({ service: { services, work } }: ScheduleFacts): Html {
  const known =
    services.length === 0
      ? html`<p class="empty">No service has run yet. <code>registrar schedule</code> starts one.</p>`
      : html`<ul>${services.map(
          ({ pid, host, startedAt, seenAt, stoppedAt, isAlive }) =>
            html`<li>Process ${pid} on ${host}, started ${when(startedAt)}: ${
              isAlive
                ? html`<span class="chip good">running</span>`
                : stoppedAt === null
                  ? html`<span class="chip bad">gone</span>, last seen ${when(seenAt)}`
                  : html`<span class="chip calm">stopped</span> ${when(stoppedAt)}`
            }</li>`,
        )}</ul>`;
  const now =
    work.length === 0
      ? html`<p class="second">No process is importing or delivering right now.</p>`
      : html`<p>At work now:</p><ul>${work.map(({ name, pid }) => html`<li>${leaseText(name)}, process ${pid}</li>`)}</ul>`;
  return html`${known}${now}`;
}

function leaseText(name: string): string {
  const [kind, of = ''] = [name.split(':', 1)[0], name.slice(name.indexOf(':') + 1)];
  if (kind === 'push') return `delivers to ${of}`;
  if (kind === 'job') return `works on: ${of}`;
  if (kind === 'result') return `delivers results of ${of}`;
  return name === 'stage' ? 'imports files' : name;
}

type Line = ReturnType<typeof linesOf>[number];

function linesOf(visit: Visit, { jobs }: ScheduleFacts) {
  return visit.actionContext().config.schedule.flatMap((entry) => {
    const job = jobs.find((one) => one.job === jobName(entry));
    return job === undefined ? [] : [{ entry, job, nextMs: nextSlotMs(entry, visit.nowMs) }];
  });
}

function timed(visit: Visit, facts: ScheduleFacts): Html {
  const lines = linesOf(visit, facts);
  if (lines.length === 0)
    return html`<p class="empty">No schedule yet. Add a line to <code>schedule</code> in registrar.yaml.</p>`;
  const caption = 'Lines of the schedule, how the last time ended, and when the next one is';
  return listTable(caption, lines, LINE_COLUMNS);
}

const LINE_COLUMNS: readonly Column<Line>[] = [
  {
    title: 'What',
    cell: ({ entry }) =>
      html`${entry.do.join(', ')}${entry.sources.length === 0 ? '' : html` of ${entry.sources.join(', ')}`}<br><small><code>${entry.cron}</code> ${entry.timeZone ?? 'the machine’s zone'}</small>`,
  },
  { title: 'Last', cell: ({ job }) => lastText(job) },
  { title: 'Last done', cell: ({ job }) => whenOr(job.lastDoneAt, 'never') },
  {
    title: 'Next',
    cell: ({ entry: { paused }, nextMs }) =>
      paused === undefined
        ? whenOr(nextMs === null ? null : isoFromMs(nextMs), 'never again')
        : html`<span class="chip open">paused</span> <bdi>${paused}</bdi>`,
  },
];

function lastText({ latest }: Line['job']): Html {
  if (latest === null) return html`<span class="absent">not due yet</span>`;
  const { slotAt, ending, missed } = latest;
  const look = ending === 'done' ? 'good' : ending === null || ending === 'interrupted' ? 'calm' : 'bad';
  return html`${when(slotAt)} <span class="chip ${look}">${ending ?? 'not ended'}</span>${
    missed === 0 ? '' : html`<br><small>makes up for ${counted(missed, 'missed time')}</small>`
  }`;
}

const INBOX_COLUMNS: readonly Column<ScheduleFacts['inboxes'][number]>[] = [
  { title: 'Source', cell: ({ source }) => source },
  {
    title: 'Inbox',
    cell: ({ folder, problem }) =>
      html`<code>${folder}</code>${problem === null ? '' : html`<br><span class="chip bad">can’t be read</span> ${problem}`}`,
  },
  {
    title: 'Looked at',
    cell: ({ pollMs }) => (pollMs === 0 ? 'by schedule only' : `every ${durationText(pollMs)}`),
  },
  {
    title: 'Waiting',
    isNumber: true,
    cell: ({ waiting }) => waiting ?? html`<span class="absent">unknown</span>`,
  },
];

function remoteInboxes({ remoteInboxes: rows }: ScheduleFacts): Html {
  if (rows.length === 0) return html``;
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { title: 'Source', cell: ({ source, place }) => html`${source}<br><small><code>${place}</code></small>` },
    {
      title: 'Looked at',
      cell: ({ lookedAt, awaySince }) =>
        html`${whenOr(lookedAt, 'never')}${awaySince === null ? '' : html` <span class="chip bad">can’t be used</span> since ${when(awaySince)}`}`,
    },
    { title: 'Last file', cell: ({ fetchedAt }) => whenOr(fetchedAt, 'never') },
    { title: 'Waiting', isNumber: true, cell: ({ waiting }) => waiting },
    { title: 'Oldest since', cell: ({ oldestAt }) => whenOr(oldestAt, 'none') },
  ];
  return sectionOf('remote-inboxes', 'Remote inboxes')`
${listTable('Remote inboxes of the sources', rows, columns)}`;
}
