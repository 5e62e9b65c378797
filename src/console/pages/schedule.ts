import type { QueryResult } from '../../actions/browse/queries.js';
import { jobName } from '../../config/values/job-name.js';
import { isoFromMs } from '../../domain/clock.js';
import { errorsOf } from '../../domain/operator-error.js';
import { type Html, html } from '../../report/page/html.js';
import { nextSlotMs } from '../../report/status/slots.js';
import { counted } from '../../report/text/counted.js';
import { beginLine } from '../work/begin-run.js';
import type { StartedLine } from '../work/console-context.js';
import { deciderOf, type Visit } from '../work/visit.js';
import { type Page, sectionOf } from './page.js';
import { formToken, hiddenFields } from './parts/fields.js';
import { type Column, listTable } from './parts/list-table.js';
import { when, whenOr } from './parts/when.js';

export const schedulePage: Page = {
  path: '/schedule',
  async show(visit) {
    const schedule = await visit.query('schedule', {});
    return {
      title: 'Schedule',
      section: '/schedule',
      isLive: true,
      content: html`<div id="schedule" data-part>
${sectionOf('service', 'The service')`${service(schedule)}`}
${sectionOf('lines', 'Schedule')`
${[...visit.started.lines.values()].map((line) => startedText(visit, line))}
${timed(visit, schedule)}`}
${remoteInboxes(schedule)}
</div>`,
    };
  },
  forms: {
    async start(visit, fields) {
      const name = fields.one('line');
      const { schedule } = visit.actionContext().config;
      const entry = schedule.find((line) => jobName(line) === name);
      if (entry === undefined || entry.paused !== undefined) {
        const message = 'this line is paused, or no longer in the schedule';
        const errorOf = errorsOf('start a line of the schedule');
        throw errorOf(name, message, 'Open Schedule again.', { reason: 'not-found' });
      }
      beginLine(visit, entry, deciderOf(visit));
      return { to: '/schedule' };
    },
  },
};

type ScheduleFacts = QueryResult<'schedule'>;

function service({ services, leases }: ScheduleFacts): Html {
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
    leases.length === 0
      ? html`<p class="second">No process is importing or delivering right now.</p>`
      : html`<p>At work now:</p><ul>${leases.map(({ name, pid }) => html`<li>${leaseText(name)}, process ${pid}</li>`)}</ul>`;
  return html`${known}${now}`;
}

function leaseText(name: string): string {
  const [kind, of = ''] = [name.split(':', 1)[0], name.slice(name.indexOf(':') + 1)];
  if (kind === 'push') return `delivers to ${of}`;
  if (kind === 'job') return `works on: ${of}`;
  if (kind === 'result') return `delivers results of ${of}`;
  return name === 'stage' ? 'imports files' : name;
}

function startedText({ seesPeople }: Visit, { job, who, startedAt, outcome }: StartedLine): Html {
  const by = seesPeople ? html` by <bdi>${who}</bdi>` : '';
  const started = html`<bdi>${job}</bdi>, started${by} ${when(startedAt)},`;
  if (outcome === null) return html`<p class="notice open" role="status">${started} is running.</p>`;
  if ('failed' in outcome)
    return html`<p class="notice bad" role="status">${started} has failed${seesPeople ? `: ${outcome.failed}` : ''}.</p>`;
  const { runId, exit } = outcome;
  const run = runId === null ? '' : html`<a href="/runs/${runId}">run ${runId}</a>, `;
  const troubles = (seesPeople ? outcome.troubles : []).map((trouble) => html`<br>${trouble}`);
  return html`<p class="notice ${exit === 'done' ? 'good' : 'open'}" role="status">${started} has ended: ${run}${exit}.${troubles}</p>`;
}

type Line = ReturnType<typeof linesOf>[number];

function linesOf(visit: Visit, { jobs, leases }: ScheduleFacts) {
  return visit.actionContext().config.schedule.flatMap((entry, index) => {
    const job = jobs.find((one) => one.job === jobName(entry));
    if (job === undefined) return [];
    const isUnderWay = leases.some(({ name }) => name === `job:${job.job}`);
    return [{ index, entry, job, nextMs: nextSlotMs(entry, visit.nowMs), isUnderWay }];
  });
}

function timed(visit: Visit, facts: ScheduleFacts): Html {
  const lines = linesOf(visit, facts);
  if (lines.length === 0)
    return html`<p class="empty">No schedule yet. ${visit.mayAct ? html`<a href="/settings/schedule/new">Add a line</a>` : ''}</p>`;
  const caption = 'Lines of the schedule, how the last time ended, and when the next one is';
  return listTable(caption, lines, columnsFor(visit));
}

function columnsFor(visit: Visit): readonly Column<Line>[] {
  return [
    {
      title: 'What',
      cell: ({ entry }) =>
        html`${entry.do.join(', ')}${entry.sources.length === 0 ? '' : html` of ${entry.sources.join(', ')}`}<br><small><code>${entry.cron}</code> ${entry.timeZone ?? 'the machine’s zone'}</small>`,
    },
    { title: 'Last', cell: ({ job }) => lastText(job) },
    { title: 'Last success', cell: ({ job }) => whenOr(job.lastDoneAt, 'never') },
    {
      title: 'Next',
      cell: ({ entry: { paused }, nextMs }) =>
        paused === undefined
          ? whenOr(nextMs === null ? null : isoFromMs(nextMs), 'never again')
          : html`<span class="chip open">paused</span> <bdi>${paused}</bdi>`,
    },
    ...(visit.mayAct ? [{ title: 'Now', cell: (line: Line) => startForm(visit, line) }] : []),
  ];
}

/** Runs the line now; its schedule is unchanged. */
function startForm(visit: Visit, { index, entry, job: { job }, isUnderWay }: Line): Html {
  if (entry.paused !== undefined) return html`<a href="/settings/schedule/${index}">Resume</a>`;
  return isUnderWay
    ? html`under way`
    : html`<form method="post" action="/schedule/start">${formToken(visit)}${hiddenFields({ line: job })}<button class="second-choice" aria-label="Run now: ${job}">Run now</button></form>`;
}

function lastText({ latest }: Line['job']): Html {
  if (latest === null) return html`<span class="absent">not due yet</span>`;
  const { slotAt, ending, missed } = latest;
  const look = ending === 'done' ? 'good' : ending === null || ending === 'interrupted' ? 'calm' : 'bad';
  return html`${when(slotAt)} <span class="chip ${look}">${ending ?? 'not ended'}</span>${
    missed === 0 ? '' : html`<br><small>makes up for ${counted(missed, 'missed time')}</small>`
  }`;
}

function remoteInboxes({ remoteInboxes: rows }: ScheduleFacts): Html {
  if (rows.length === 0) return html``;
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { title: 'Source', cell: ({ source, place }) => html`${source}<br><small><code>${place}</code></small>` },
    {
      title: 'Last checked',
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
