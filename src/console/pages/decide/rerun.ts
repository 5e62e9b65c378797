import type { RerunPlan } from '../../../actions/rerun.js';
import { RERUNNABLE } from '../../../actions/rows/selectable.js';
import { describeSelection } from '../../../domain/selection.js';
import { agreeing } from '../../../domain/text/count-of.js';
import { roughlyInWords } from '../../../domain/text/duration-words.js';
import { type Html, html } from '../../../report/page/html.js';
import { counted, numberText } from '../../../report/text/counted.js';
import { obstacleWords } from '../../../report/words/obstacle-words.js';
import type { Visit } from '../../visits/visit.js';
import { onceBegun } from '../../work/going-on.js';
import { rerunWork } from '../../work/rerun-work.js';
import type { Form } from '../form.js';
import type { Page, Shown } from '../page.js';
import { selectionIn } from '../parts/selection-address.js';
import { chosenRows, leftOutList, noneChosen, noneFits } from './chosen-rows.js';
import { type DecisionAsked, decisionForm, reasonIn, toDecision, told, whyNotYet } from './decision-form.js';

const TITLE = 'Retry rows';

/** What sending the rows of its address again would do, and the form that decides it. */
export const rerunPage: Page = {
  path: '/decide/rerun',
  roles: ['operator'],
  async show(visit, desk) {
    const selection = selectionIn(visit.address.query, RERUNNABLE);
    if (selection === null) return noneChosen(TITLE);
    return shownPlan(visit, await desk.ask('rerunPlan', { selection }));
  },
};

/** Decides it. What is sent goes on after the answer. */
export const rerunForm: Form = {
  path: '/decide/rerun',
  async submit(visit, fields, desk) {
    const selection = selectionIn(visit.address.query, RERUNNABLE);
    if (selection === null) return { shown: noneChosen(TITLE) };
    const planned = await desk.ask('rerunPlan', { selection });
    const because = reasonIn(fields);
    const notYet = whyNotYet(fields, asked(planned));
    if (notYet !== null || planned.rows.total === 0)
      return { shown: { ...shownPlan(visit, planned, notYet, because ?? ''), status: 409 } };
    const who = { name: visit.person.name, door: 'console' } as const;
    const { decision } = await onceBegun(desk, rerunWork(desk, planned, who, because));
    return toDecision(decision);
  },
};

function asked({ rows }: RerunPlan): DecisionAsked {
  return { button: 'Retry them', needsReason: false, seen: `${rows.total} ${rows.which}` };
}

function shownPlan(visit: Visit, planned: RerunPlan, said: string | null = null, because = ''): Shown {
  const { selection, rows, leftOut, first, invalid } = planned;
  const instead = { ...RERUNNABLE.instead, invalid: 'It has no record to send. Correct it on its page.' };
  if (rows.total === 0) return noneFits(TITLE, selection, leftOutList(leftOut, instead));
  const notes = new Map(first.map(({ row, obstacle }) => [row.submissionId, obstacleWords(obstacle)]));
  return {
    title: TITLE,
    section: '/attention',
    content: html`${told(said)}
<section aria-labelledby="plan"><h2 id="plan">${headline(planned)}</h2>
<p class="second">These are ${describeSelection(selection)}.</p>
${outlook(planned)}
${invalid > 0 ? html`<p class="note">${counted(invalid, 'invalid row')} ${agreeing(invalid, 'matches', 'match')} as well, but have no record to send. Correct them first.</p>` : ''}
${decisionForm(visit, { ...asked(planned), because })}
</section>
${chosenRows(
  { ...planned, first: first.map(({ row }) => row) },
  {
    noteOn: ({ submissionId, state, code }) =>
      notes.get(submissionId) ?? (state === 'held' ? `let pass in spite of ${code}` : ''),
    instead,
  },
)}`,
  };
}

/** "412 rows, 412 requests, about 6 min; 3 wait behind older ones". */
function headline({ rows, requests, environments, behind }: RerunPlan): string {
  const longestMs = Math.max(0, ...environments.map(({ estimatedMs }) => estimatedMs ?? 0));
  const takes = longestMs === 0 ? '' : `, about ${roughlyInWords(longestMs)}`;
  const after =
    behind === 0 ? '' : `; ${numberText(behind)} ${agreeing(behind, 'waits', 'wait')} behind older ones`;
  return `${counted(rows.total, 'row')}, ${counted(requests, 'request')}${takes}${after}`;
}

function outlook({ environments, overrides, behind, ahead, replaced, damaged }: RerunPlan): Html {
  const lines = [
    ...environments.map(
      ({ environment, requests, estimatedMs }) =>
        `${counted(requests, 'request')} to ${environment}, ${estimatedMs === null ? 'which registrar.yaml doesn’t have' : `about ${roughlyInWords(estimatedMs)} at its quota`}.`,
    ),
    ...Object.entries(overrides).map(
      ([code, rows]) => `${counted(rows, 'row')} held as ${code}: let pass, once.`,
    ),
    ...(behind > 0
      ? [
          `${counted(behind, 'row')} ${agreeing(behind, 'goes', 'go')} after ${counted(ahead.size, 'older one')} of the same learner and content, which ${agreeing(ahead.size, 'waits already and is', 'wait already and are')} sent as well.`,
        ]
      : []),
    ...(replaced > 0
      ? [
          `${counted(replaced, 'row')} not sent: a newer revision takes ${agreeing(replaced, 'its', 'their')} place.`,
        ]
      : []),
    ...(damaged > 0
      ? [
          `${counted(damaged, 'row')} not sent: the ledger keeps something else than was staged. Restore a backup first.`,
        ]
      : []),
  ];
  return html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
}
