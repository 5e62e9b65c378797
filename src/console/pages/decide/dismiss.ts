import { carryOut, type DismissPlan, type DismissRequest } from '../../../actions/dismiss.js';
import { DISMISSABLE } from '../../../actions/rows/selectable.js';
import { describeSelection } from '../../../domain/selection.js';
import { html } from '../../../report/page/html.js';
import { counted } from '../../../report/text/counted.js';
import type { Address } from '../../visits/address.js';
import type { Visit } from '../../visits/visit.js';
import type { Form } from '../form.js';
import type { Page, Shown } from '../page.js';
import { selectionIn } from '../parts/selection-address.js';
import { when } from '../parts/when.js';
import { chosenRows, leftOutList, noneChosen, noneFits } from './chosen-rows.js';
import { type DecisionAsked, decisionForm, reasonIn, toDecision, told, whyNotYet } from './decision-form.js';

const TITLE = 'Dismiss';

/** What would be dismissed: the rows of its address, or the file that was set aside, `?drop=3`. */
export const dismissPage: Page = {
  path: '/decide/dismiss',
  roles: ['operator'],
  async show(visit, desk) {
    const request = requestIn(visit.address);
    return request === null ? noneChosen(TITLE) : shownPlan(visit, await desk.ask('dismissPlan', request));
  },
};

/** Dismisses it. */
export const dismissForm: Form = {
  path: '/decide/dismiss',
  async submit(visit, fields, desk) {
    const request = requestIn(visit.address);
    if (request === null) return { shown: noneChosen(TITLE) };
    const planned = await desk.ask('dismissPlan', request);
    const because = reasonIn(fields);
    const notYet = whyNotYet(fields, asked(planned));
    if (because === null || notYet !== null || total(planned) === 0)
      return { shown: { ...shownPlan(visit, planned, notYet, because ?? ''), status: 409 } };
    const who = { name: visit.person.name, door: 'console' as const };
    const { decisionId } = await carryOut(desk.context(), planned, who, because);
    return toDecision(decisionId);
  },
};

function requestIn({ query }: Address): DismissRequest | null {
  const selection = selectionIn(query, DISMISSABLE);
  const drop = /^\d{1,12}$/.test(query.drop ?? '') ? Number(query.drop) : null;
  return selection === null && drop === null ? null : { selection, drop };
}

function asked(planned: DismissPlan): DecisionAsked {
  const { rows, files } = planned;
  const seen = [rows.total, rows.which, ...files.map(({ drop }) => drop)].join(' ');
  return { button: total(planned) === 1 ? 'Dismiss it' : 'Dismiss them', needsReason: true, seen };
}

function total({ rows, files }: DismissPlan): number {
  return rows.total + files.length;
}

function shownPlan(visit: Visit, planned: DismissPlan, said: string | null = null, because = ''): Shown {
  const { rows, files, leftOut, request } = planned;
  if (total(planned) === 0) return noneFits(TITLE, request.selection, leftOutList(leftOut, {}));
  const counts = [
    ...(rows.total > 0 ? [counted(rows.total, 'row')] : []),
    ...(files.length > 0 ? [counted(files.length, 'refused file')] : []),
  ];
  return {
    title: TITLE,
    section: '/attention',
    content: html`${told(said)}
<section aria-labelledby="plan"><h2 id="plan">${counts.join(' and ')}</h2>
${rows.total > 0 && request.selection !== null ? html`<p class="second">These are ${describeSelection(request.selection)}. They stay on record, are never sent, and leave the list.</p>` : ''}
${
  files.length === 0
    ? ''
    : html`<p class="second">None of its rows were imported. The file stays where it is and is no longer reported.</p>
<ul>${files.map(({ drop: dropId, source, file, takenAt, refusal }) => html`<li><bdi>${file}</bdi> (drop ${dropId} of ${source}, ${when(visit, takenAt)}): ${refusal}</li>`)}</ul>`
}
${decisionForm(visit, { ...asked(planned), because })}
</section>
${chosenRows(planned)}`,
  };
}
