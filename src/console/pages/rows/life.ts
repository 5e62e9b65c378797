import { type Html, html } from '../../../report/page/html.js';
import type { Trace } from '../../../report/trace/trace.js';
import { transitionReason } from '../../../report/words/causes.js';
import type { Visit } from '../../visits/visit.js';
import { remedyLink } from '../attention/remedy-link.js';
import { sectionOf } from '../page.js';
import { rowPath } from '../parts/row-link.js';
import { when } from '../parts/when.js';
import { decisionText } from './decision-text.js';

type Life = Trace['submissions'][number];
type Attempt = Life['attempts'][number];
type Answer = Attempt['answers'][number];

/** The longest piece of an answer's body on the page; the report and registrar trace have all of it. */
const MAX_BODY = 2_000;

/** What comes next for a submission, and all that happened to it. */
export function lifeSection(visit: Visit, life: Life): Html {
  const { submission, state, heldReason, operation, environment, key, revision, next } = life;
  const id = `life-${submission}`;
  return sectionOf(id, html`#${submission} is ${state}${heldReason === null ? '' : `: ${heldReason}`}`)`
<p class="second">${next.words}</p>
${visit.mayAct && next.choices.length > 0 ? html`${next.choices.map((choice) => html`<p class="buttons">${choice.when}: ${remedyLink(choice.remedy)}</p>`)}${dismissLink(life)}` : ''}
${life.damaged ? html`<p class="notice bad">The stored row is damaged. Restore a backup.</p>` : ''}
<dl class="pairs"><dt>What</dt><dd>${operation} to <bdi>${environment}</bdi></dd>
<dt>Key</dt><dd><code>${key}</code>${revision > 1 ? `, revision ${revision}` : ''}</dd>
${lineage(visit, life)}</dl>
<h3>What happened</h3>
${steps(visit, life)}`;
}

function dismissLink({ submission, state }: Life): Html {
  return html`<p class="buttons">To leave it unsent: ${remedyLink({ action: 'dismiss', selection: { states: [state], rows: [submission] } })}</p>`;
}

function lineage(visit: Visit, { madeBy, replaces, replacedBy }: Life): Html {
  const link = (id: number) => html`<a href="${rowPath(String(id))}">#${id}</a> `;
  return html`${madeBy === null ? '' : html`<dt>Made by</dt><dd>${decisionText(visit, madeBy)}</dd>`}${
    replaces.length === 0 ? '' : html`<dt>In place of</dt><dd>${replaces.map(link)}</dd>`
  }${replacedBy === null ? '' : html`<dt>Replaced by</dt><dd>${link(replacedBy)}</dd>`}`;
}

/** Changes of state in order, each answer below the one that it led to. */
function steps(visit: Visit, { transitions, attempts, acceptedAs }: Life): Html {
  const shown = new Set<Attempt>();
  const lines = transitions.map((step) => {
    const attempt = attempts.find((one) => one.attempt === step.attempt);
    const isAnswered = attempt !== undefined && step.event !== 'claimed';
    if (isAnswered) shown.add(attempt);
    const reason = step.decision === null ? transitionReason(step, acceptedAs) : null;
    const by =
      step.decision !== null
        ? decisionText(visit, step.decision)
        : step.run === null
          ? html``
          : html`<a href="/runs/${step.run}">run ${step.run}</a>`;
    return html`<li>${when(visit, step.at)}: ${step.from} to <b>${step.to}</b>${reason === null ? '' : html` (${reason})`}, ${by}${isAnswered ? attempt.answers.map((answer) => answerText(answer)) : ''}</li>
`;
  });
  const open = attempts.filter((attempt) => !shown.has(attempt));
  if (lines.length + open.length === 0)
    return html`<p class="empty">Imported. Nothing has happened since.</p>`;
  return html`<ol>${lines}${open.map((attempt) => html`<li>${when(visit, attempt.startedAt)}: request ${attempt.attempt}, no answer yet</li>`)}</ol>`;
}

function answerText(answer: Answer): Html {
  const { status, failure, durationMs, isLate, errorDetail, body, bodyState } = answer;
  const head = status === null ? `no answer (${failure ?? 'silence'})` : `answer ${status}`;
  const cut = body !== null && body.length > MAX_BODY ? `${body.slice(0, MAX_BODY)}…` : body;
  return html`<p><b>${isLate ? 'late ' : ''}${head}</b> <small>in ${durationMs} ms</small>${errorDetail === null ? '' : html` <q>${errorDetail}</q>`}</p>
${cut === null || cut === '' ? '' : html`<details><summary>Full answer</summary><pre class="answer">${cut}</pre>${bodyState === 'complete' ? '' : html`<small>${bodyState}</small>`}</details>`}`;
}
