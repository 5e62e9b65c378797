import { carryOut, isUnchanged, type Restaging } from '../../../actions/restage/restage.js';
import { issueText } from '../../../domain/issue.js';
import { agreeing } from '../../../domain/text/count-of.js';
import { type Html, html } from '../../../report/page/html.js';
import { scrollable } from '../../../report/page/words.js';
import { counted, numberText } from '../../../report/text/counted.js';
import type { Address } from '../../visits/address.js';
import type { Visit } from '../../visits/visit.js';
import type { Form } from '../form.js';
import type { Page, Shown } from '../page.js';
import { rowPath } from '../parts/row-link.js';
import { type DecisionAsked, decisionForm, reasonIn, toDecision, told, whyNotYet } from './decision-form.js';

const TITLE = 'Re-read a file';

/** How many rows of a plan are shown. */
const SHOWN = 20;

/** What a drop's invalid rows would be under today's settings, `?drop=3`, and the form that decides it. */
export const restagePage: Page = {
  path: '/decide/restage',
  roles: ['operator'],
  async show(visit, desk) {
    const request = requestIn(visit.address);
    return request === null ? noDrop() : shownPlan(visit, await desk.ask('restagePlan', request));
  },
};

/** Decides it. */
export const restageForm: Form = {
  path: '/decide/restage',
  async submit(visit, fields, desk) {
    const request = requestIn(visit.address);
    if (request === null) return { shown: noDrop() };
    const planned = await desk.ask('restagePlan', request);
    const because = reasonIn(fields);
    const notYet = whyNotYet(fields, asked(planned));
    const shown = (said: string | null) => ({
      shown: { ...shownPlan(visit, planned, said, because ?? ''), status: 409 as const },
    });
    if (notYet !== null) return shown(notYet);
    const who = { name: visit.person.name, door: 'console' as const };
    const { decisionId } = await carryOut(desk.context(), planned, who, because);
    return decisionId === null
      ? shown('Nothing would change, so no decision was recorded.')
      : toDecision(decisionId);
  },
};

function requestIn({ query }: Address) {
  const drop = (query.drop ?? '').trim();
  return drop === '' ? null : { drop, limit: SHOWN };
}

function asked({ outlook: { open, made, repeated, skipped } }: Restaging): DecisionAsked {
  return { button: 'Re-read rows', needsReason: false, seen: [open, made, repeated, skipped].join(' ') };
}

function noDrop(): Shown {
  return {
    title: TITLE,
    section: '/files',
    status: 400,
    content: html`<p class="empty">No file is selected. Choose one from <a href="/files">Files</a>.</p>`,
  };
}

function shownPlan(visit: Visit, planned: Restaging, said: string | null = null, because = ''): Shown {
  const { drop, outlook } = planned;
  return {
    title: TITLE,
    section: '/files',
    content: html`${told(said)}
<section aria-labelledby="plan"><h2 id="plan"><bdi>${drop.file}</bdi>, drop ${drop.dropId} of ${drop.source}</h2>
${outlookText(planned)}
${
  !isUnchanged(outlook)
    ? decisionForm(visit, { ...asked(planned), because })
    : html`<p class="empty">Nothing would change. Fix the source’s settings in registrar.yaml, or correct the rows.</p>`
}
</section>
${madeRows(outlook.records)}${stillInvalid(drop.dropId, outlook.issues)}`,
  };
}

function outlookText({ outlook: { open, made, repeated, skipped, still } }: Restaging): Html {
  return open === 0
    ? html`<p class="second">No row of this file is invalid any more.</p>`
    : html`<p class="second">${counted(open, 'invalid row')}: ${numberText(made)} would wait to be delivered, ${numberText(repeated)} ${agreeing(repeated, 'repeats', 'repeat')} what is known, ${numberText(skipped)} would be skipped by policy, ${numberText(still)} would still be invalid.</p>`;
}

type Outlook = Restaging['outlook'];

function madeRows(records: Outlook['records']): Html {
  if (records.length === 0) return html``;
  return html`<section aria-labelledby="made"><h2 id="made">What would be delivered</h2>
${scrollable(
  'Table of what would be delivered',
  html`<table class="list"><caption><span>The first rows with their requests</span></caption>
<thead><tr><th scope="col" class="n">Line</th><th scope="col">Request</th></tr></thead>
<tbody>${records.map(
    ({ line, request }) =>
      html`<tr><th scope="row" class="n">${line}</th><td><code>${request.method} ${request.path} ${JSON.stringify(request.body)}</code></td></tr>
`,
  )}</tbody></table>`,
)}</section>`;
}

function stillInvalid(dropId: number, issues: Outlook['issues']): Html {
  if (issues.length === 0) return html``;
  const shown = issues.slice(0, SHOWN);
  return html`<section aria-labelledby="still"><h2 id="still">What would still be invalid</h2>
${scrollable(
  'Table of what would still be invalid',
  html`<table class="list"><caption><span>The first issues</span></caption>
<thead><tr><th scope="col">Row</th><th scope="col">Code</th><th scope="col">What, and what to do</th></tr></thead>
<tbody>${shown.map(
    (issue) =>
      html`<tr><th scope="row"><a href="${rowPath(`${dropId}:${issue.line}`)}">line ${issue.line ?? ''}</a></th><td>${issue.code}</td><td>${issueText(issue)}</td></tr>
`,
  )}</tbody></table>`,
)}
${issues.length > shown.length ? html`<p class="note">And ${numberText(issues.length - shown.length)} more.</p>` : ''}</section>`;
}
