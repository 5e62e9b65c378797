import { type Html, html } from '../../../report/page/html.js';
import { scrollable } from '../../../report/page/words.js';
import { counted, numberText } from '../../../report/text/counted.js';
import type { Visit } from '../../visits/visit.js';
import { when } from '../parts/when.js';
import type { Overview } from './overview-verdict.js';

type Stretch = Overview['sent']['hours'][number];

/** Requests over the last day and the last hour, as pictures and as a table. */
export function deliveries(visit: Visit, { sent }: Overview): Html {
  const total = sent.hours.reduce((sum, { requests }) => sum + requests, 0);
  if (total === 0) return html`<p class="empty">No requests in the last 24 hours.</p>`;
  return html`<figure class="timeline">
${lane('Last 24 hours', 'an hour', sent.hours)}
${lane('Last 60 minutes', 'a minute', sent.minutes)}
</figure>
<details><summary>The numbers, hour by hour</summary>${table(visit, sent.hours)}</details>`;
}

function lane(name: string, stretch: string, stretches: readonly Stretch[]): Html {
  const total = stretches.reduce((sum, { requests }) => sum + requests, 0);
  const most = Math.max(1, ...stretches.map(({ requests }) => requests));
  const bars = (of: (one: Stretch) => number) =>
    stretches
      .map((one, index) => {
        const height = Math.round((of(one) / most) * 1_000) / 10;
        return height === 0 ? '' : `M${index + 0.08} 100v-${height}h.84v${height}z`;
      })
      .join('');
  const said = `${name}: ${counted(total, 'request')}, at most ${numberText(most)} in ${stretch}`;
  return html`<div class="lane"><p class="name"><b>${name}</b><small>at most ${numberText(most)} in ${stretch}</small></p>
<svg viewBox="0 0 ${stretches.length} 100" preserveAspectRatio="none" role="img" aria-label="${said}"><path class="calm" d="${bars(({ requests }) => requests)}"/><path class="good" d="${bars(({ accepted, requests }) => Math.min(accepted, requests))}"/></svg>
<p class="count">${numberText(total)}</p></div>`;
}

function table(visit: Visit, stretches: readonly Stretch[]): Html {
  const rows = stretches.filter(({ requests }) => requests > 0).reverse();
  return scrollable(
    'Requests hour by hour',
    html`<table><caption><span>Requests by the hour in which they left</span></caption>
<thead><tr><th scope="col">From</th><th scope="col" class="n">Requests</th><th scope="col" class="n">Rows accepted</th><th scope="col" class="n">Refused</th><th scope="col" class="n">Answered 429</th></tr></thead>
<tbody>${rows.map(
      ({ at, requests, accepted, refused, throttled }) =>
        html`<tr><th scope="row">${when(visit, at)}</th><td class="n">${numberText(requests)}</td><td class="n">${numberText(accepted)}</td><td class="n">${numberText(refused)}</td><td class="n">${numberText(throttled)}</td></tr>
`,
    )}</tbody></table>`,
  );
}
