import { type Html, html } from '../../../report/page/html.js';
import { counted, numberText } from '../../../report/page/words.js';
import type { Visit } from '../../visits/visit.js';
import { when } from '../parts/when.js';
import type { Overview } from './overview-verdict.js';

/** Further causes have few rows; the page of all of them is a click away. */
const MOST_CAUSES = 8;

/** What somebody has to do: causes, files set aside, files no source takes, outages and alerts. */
export function needs(visit: Visit, { attention, untaken, outages, alerts }: Overview): Html {
  const { causes, setAside } = attention;
  const others = causes.length - MOST_CAUSES;
  const items = [
    ...outages.map(
      ({ environment, since, reason, remedy }) =>
        html`<li class="broken"><b>${environment} is unavailable</b> since ${when(visit, since)}: ${reason}. ${remedy}</li>
`,
    ),
    ...causes.slice(0, MOST_CAUSES).map(
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
    ...untaken.slice(0, MOST_CAUSES).map(
      ({ path, reason, remedy }) => html`<li><bdi>${path}</bdi> ${reason}. ${remedy}</li>
`,
    ),
    ...(untaken.length > MOST_CAUSES
      ? [
          html`<li>${numberText(untaken.length - MOST_CAUSES)} more files in the inboxes match no source</li>
`,
        ]
      : []),
    ...alerts.map(
      ({
        title,
        text,
        openedAt,
        overAt,
      }) => html`<li class="calm">Alert: ${title}${overAt === null ? html`, since ${when(visit, openedAt)}` : html`. ${text}`}</li>
`,
    ),
  ];
  return items.length === 0
    ? html`<p class="empty">All clear. <a href="/files">Upload a file</a>, or put one into an inbox.</p>`
    : html`<ul class="needs">${items}</ul>`;
}
