import type { ReportedOutage } from '../../documents/common.js';
import type { Report } from '../report.js';
import { lastingOutages, outageSubject } from '../status/outages.js';
import { KEEPER } from '../words/cause-advice.js';
import { sentence } from './causes.js';
import { type Html, html } from './html.js';
import { counted, figure, timeText } from './words.js';

/** The environments that can't be used, for the headline: a name, or their number. */
export function outageHeadline(report: Report): Html {
  const lasting = lastingOutages(report);
  const [first] = lasting;
  const subject =
    first !== undefined && lasting.length === 1
      ? sentence(outageSubject(first)).slice(0, -1)
      : `${lasting.length} environments or operations are unavailable`;
  const waiting = lasting.reduce((sum, outage) => sum + outage.waiting, 0);
  return html`${subject}, and ${figure('outages.waiting', waiting)} ${waiting === 1 ? 'row waits' : 'rows wait'} for ${lasting.length === 1 ? 'it' : 'them'}`;
}

/** The outages' lines in the list of who must do what. */
export function outageNeeds(report: Report): Html[] {
  return lastingOutages(report).map(
    (
      outage,
    ) => html`<li class="broken"><b>${sentence(KEEPER).slice(0, -1)}</b>: <a href="#outages">${outageSubject(outage)}</a> since ${timeText(outage.since)}. ${outage.remedy}</li>
`,
  );
}

/** For each outage since when, why, how many rows wait, and what to do; null where everything can be used. */
export function outages(report: Report): Html | null {
  if (report.outages.length === 0) return null;
  return html`<ul class="notices">${report.outages.map(
    (outage) => html`<li><b>${sentence(outageSubject(outage))}</b> ${sentence(outage.reason)} ${outage.remedy}
<span class="note">Since ${timeText(outage.since)}, found by ${counted(outage.runs, 'run')}, last at ${timeText(outage.lastAt)}; <code>${outage.code}</code>; ${whatWaits(outage)}</span></li>
`,
  )}</ul>`;
}

function whatWaits({ endedAt, waiting }: ReportedOutage): Html {
  if (endedAt !== null) return html`it could be used again at ${timeText(endedAt)}`;
  return html`${counted(waiting, 'row')} ${waiting === 1 ? 'waits' : 'wait'} for it, and nothing is lost`;
}
