import { HEALTH_PARTS } from '../../../domain/health/health.js';
import { type Html, html } from '../../../report/page/html.js';
import { counted, numberText } from '../../../report/text/counted.js';
import type { Visit } from '../../visits/visit.js';
import { when } from '../parts/when.js';
import type { Overview } from './overview-verdict.js';

/** An alert about health is shown with its finding, and one about a cause with its rows. */
function isShownAlone({ kind, overAt }: Overview['alerts'][number]): boolean {
  return !HEALTH_PARTS.some((part) => part === kind) && (kind !== 'cause' || overAt !== null);
}

/** Further causes have few rows; the page of all of them is a click away. */
const MAX_CAUSES = 8;

/** Files that need attention are listed one by one. */
function isShownApart({ code }: Overview['health']['findings'][number]): boolean {
  return code !== 'file-unmatched' && code !== 'file-refused';
}

/** What needs attention: findings of health, causes, refused files, unmatched files, and alerts. */
export function needs(visit: Visit, { attention, untaken, health, alerts }: Overview): Html {
  const { causes, setAside } = attention;
  const others = causes.length - MAX_CAUSES;
  const muted = alerts.filter(({ isMuted }) => isMuted).length;
  const items = [
    ...health.findings.filter(isShownApart).map(
      ({ state, message, since, remedy }) =>
        html`<li class="${state === 'failed' ? 'broken' : ''}"><b>${message}</b>${since === null ? '' : html` Since ${when(visit, since)}.`} ${remedy}</li>
`,
    ),
    ...causes.slice(0, MAX_CAUSES).map(
      ({ cause, code, count, reason }) =>
        html`<li><a href="/attention/rows?${new URLSearchParams({ cause: code ?? cause ?? '' }).toString()}">${counted(count, 'row')}</a>: ${reason}</li>
`,
    ),
    ...(others > 0
      ? [
          html`<li><a href="/attention">${counted(others, 'further cause')}</a></li>
`,
        ]
      : []),
    ...(setAside.length > 0
      ? [
          html`<li><a href="/attention">${counted(setAside.length, 'file')}</a> refused</li>
`,
        ]
      : []),
    ...untaken.slice(0, MAX_CAUSES).map(
      ({ path, reason, remedy }) => html`<li><bdi>${path}</bdi> ${reason}. ${remedy}</li>
`,
    ),
    ...(untaken.length > MAX_CAUSES
      ? [
          html`<li>${numberText(untaken.length - MAX_CAUSES)} more files in the inboxes match no source</li>
`,
        ]
      : []),
    ...alerts.filter(isShownAlone).map(
      ({
        title,
        text,
        openedAt,
        overAt,
      }) => html`<li class="calm">Alert: ${title}${overAt === null ? html`, since ${when(visit, openedAt)}` : html`. ${text}`}</li>
`,
    ),
    ...(alerts.length > 0
      ? [
          html`<li class="calm"><a href="/alerts">${counted(alerts.length, 'open alert')}</a>${muted === 0 ? '' : `, ${numberText(muted)} muted`}</li>
`,
        ]
      : []),
  ];
  return items.length === 0
    ? html`<p class="empty">All clear. <a href="/files">Upload a file</a>, or put one into an inbox.</p>`
    : html`<ul class="needs">${items}</ul>`;
}
