import { inWords } from '../../../domain/text/duration-words.js';
import { type Html, type HtmlValue, html } from '../../../report/page/html.js';
import { numberText } from '../../../report/text/counted.js';
import type { Visit } from '../../visits/visit.js';
import { formToken, hiddenFields } from '../parts/fields.js';
import { type Column, listTable } from '../parts/list-table.js';
import { when } from '../parts/when.js';
import type { Overview } from './overview-verdict.js';

type Environment = Overview['environments'][number];

/** What waits for each environment, until when, and how much of its quota is taken. */
export function waiting(visit: Visit, { environments }: Overview): Html {
  return listTable('Waiting rows by environment', environments, columnsFor(visit));
}

function columnsFor(visit: Visit): readonly Column<Environment>[] {
  return [
    { title: 'Environment', cell: ({ environment }) => environment },
    { title: 'Rows', isNumber: true, cell: ({ estimate }) => estimate?.rows ?? 0 },
    { title: 'Requests', isNumber: true, cell: ({ estimate }) => estimate?.requests ?? 0 },
    { title: 'Estimated end', cell: ({ estimate }) => endOf(visit, estimate) },
    {
      title: 'Quota in use',
      cell: ({ permits, quota }) =>
        html`${numberText(permits)} of ${numberText(quota.allowed)} in ${inWords(quota.perMs)} ${meter(permits, quota.allowed)}`,
    },
    { title: 'Now', cell: (environment) => stateOf(visit, environment) },
  ];
}

function endOf(visit: Visit, estimate: Environment['estimate']): HtmlValue {
  if (estimate === null || estimate.rows === 0) return html`<span class="absent">nothing waiting</span>`;
  return estimate.estimatedEnd === null
    ? html`<span class="absent">unknown</span>`
    : when(visit, estimate.estimatedEnd);
}

function meter(taken: number, allowed: number): Html {
  const share = allowed === 0 ? 0 : Math.min(100, Math.round((taken / allowed) * 100));
  return html`<svg class="bar ink" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${share}" height="1"/></svg>`;
}

function stateOf(visit: Visit, { environment, isDown, isDelivering, pausedForMs }: Environment): Html {
  if (isDown)
    return html`<span class="chip bad">unavailable</span>${visit.mayAct && !isDelivering ? html`<form method="post" action="/run">${formToken(visit)}${hiddenFields({ environment })}<p class="buttons"><button class="second-choice" aria-label="Try ${environment} now">Try now</button></p></form>` : ''}`;
  if (pausedForMs > 0) return html`<span class="chip open">paused</span>`;
  return isDelivering
    ? html`<span class="chip good">delivering</span>`
    : html`<span class="chip calm">idle</span>`;
}
