import { type Html, html } from '../../../report/page/html.js';
import type { Visit } from '../../visits/visit.js';
import type { BegunRun } from '../../work/runs-begun.js';
import { when } from './when.js';

export function begunText(visit: Visit, { name, who, begunAt, outcome }: BegunRun): Html {
  const by = visit.seesPeople ? html` by <bdi>${who}</bdi>` : '';
  const begun = html`<bdi>${name}</bdi>, started${by} ${when(begunAt)},`;
  if (outcome === null) return html`<p class="notice open" role="status">${begun} is running.</p>`;
  if ('failed' in outcome)
    return html`<p class="notice bad" role="status">${begun} has failed${visit.seesPeople ? `: ${outcome.failed}` : ''}.</p>`;
  const { runId, exit } = outcome;
  const run = runId === null ? '' : html`<a href="/runs/${runId}">run ${runId}</a>, `;
  // They may quote a file.
  const troubles = (visit.seesPeople ? outcome.troubles : []).map((trouble) => html`<br>${trouble}`);
  return html`<p class="notice ${exit === 'done' ? 'good' : 'open'}" role="status">${begun} has ended: ${run}${exit}.${troubles}</p>`;
}
