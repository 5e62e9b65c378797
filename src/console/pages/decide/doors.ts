import { replace } from '../../../actions/correct/replace.js';
import type { Verb } from '../../../actions/decision/verb.js';
import { type DismissRequest, dismiss } from '../../../actions/dismiss.js';
import { IDENTIFIER_TYPES } from '../../../actions/learners/learners-named.js';
import { type MapRequest, map } from '../../../actions/map.js';
import { rerun } from '../../../actions/rerun.js';
import { type RestageRequest, restage } from '../../../actions/restage/restage.js';
import { DISMISSABLE, RERUNNABLE } from '../../../actions/rows/selectable.js';
import type { OperatorError } from '../../../domain/operator-error.js';
import { selectionIn } from '../../../domain/text/selection-text.js';
import { type Html, html } from '../../../report/page/html.js';
import { hrefOf, type Visit } from '../../visits/visit.js';
import { onceBegun } from '../../work/going-on.js';
import { rerunWork } from '../../work/rerun-work.js';
import { statusOf } from '../../work/status-of.js';
import { type Page, type Shown, sectionOf } from '../page.js';
import { choicesOf, notice, optionsOf, textField } from '../parts/fields.js';
import { numberIn } from '../parts/number-in.js';
import { problemText } from '../problem.js';
import { type DecisionDoor, decisionPage } from './decision-page.js';
import { replaceDoor } from './replace-door.js';

const MAP_TITLE = 'Map a learner';

const rerunDoor = {
  verb: rerun,
  title: 'Retry rows',
  section: '/attention' as const,
  button: 'Retry them',
  request: (query: Visit['address']['query']) => {
    const selection = selectionIn(query, RERUNNABLE);
    return selection === null ? null : { selection };
  },
};

/** The rows of the address, or the refused file, `?drop=3`. */
const dismissDoor = {
  verb: dismiss,
  title: 'Dismiss',
  section: '/attention' as const,
  button: 'Dismiss',
  request: (query: Visit['address']['query']): DismissRequest | null => {
    const selection = selectionIn(query, DISMISSABLE);
    const drop = numberIn(query.drop);
    return selection === null && drop === null ? null : { selection, drop };
  },
};

/** What a learner's corrected identifier would change, `?old=…&new=…`; without both, the form for them. */
const mapDoor = {
  verb: map,
  title: MAP_TITLE,
  section: '/learners' as const,
  button: 'Map',
  request: ({
    old = '',
    new: now = '',
    type = '',
    newType = '',
  }: Visit['address']['query']): MapRequest | null =>
    old.trim() === '' || now.trim() === ''
      ? null
      : { old, now, type: type || undefined, newType: newType || undefined },
  asks: asksWhom,
  isShownElsewhere: true,
};

const restageDoor = {
  verb: restage,
  title: 'Re-read a file',
  section: '/files' as const,
  button: 'Re-read rows',
  request: ({ drop = '' }: Visit['address']['query']): RestageRequest | null =>
    drop.trim() === '' ? null : { drop: drop.trim(), limit: 20 },
  missing: html`No file is selected. Choose one from <a href="/files">Files</a>.`,
};

/** The pages that show what a decision would do, and decide it. What is sent again goes on after the answer. */
export const DECISION_PAGES: readonly Page[] = [
  decisionPage(rerunDoor, async (context, planned, who, because) => {
    const { decision, run } = await onceBegun(context, rerunWork(context, planned, who, because));
    return `/runs/${run}?decision=${decision}`;
  }),
  carriedOut(dismissDoor, dismiss),
  carriedOut(mapDoor, map),
  carriedOut(restageDoor, restage),
  carriedOut(replaceDoor, replace),
];

function carriedOut<Request, Plan>(
  door: DecisionDoor<Request, Plan>,
  verb: Pick<Verb<Request, Plan, { readonly decisionId: number | null }>, 'carryOut'>,
): Page {
  return decisionPage(door, async (context, planned, who, because) => {
    const { decisionId } = await verb.carryOut(context.actionContext(), planned, who, because);
    return decisionId === null ? null : `/decisions/${decisionId}`;
  });
}

/** Where the correction of an identifier is planned and decided. Personal. */
export function mapPath(query: {
  readonly old: string;
  readonly new: string;
  readonly type: string;
}): string {
  return hrefOf({ path: '/decide/map', query });
}

/** The form for both identifiers. @param problem why the entered ones can't be mapped; null: nothing yet. */
function asksWhom({ address: { query } }: Visit, problem: OperatorError | null): Shown {
  return {
    title: MAP_TITLE,
    section: '/learners',
    ...(problem === null ? {} : { status: statusOf(problem) }),
    content: html`${notice(problem && problemText(problem), 'bad')}
${sectionOf('whom', 'Whose identifier is wrong?')`<form method="get" action="/decide/map">
${textField({ name: 'old', label: 'The identifier in the files', value: query.old ?? '', isRequired: true })}
${typeField('type', 'Its type', query.type ?? '')}
${textField({ name: 'new', label: 'The identifier that the platform knows', value: query.new ?? '', isRequired: true })}
${typeField('newType', 'Its type, where that is another', query.newType ?? '')}
<p class="buttons"><button>Show what would change</button> <a href="/learners">Learners</a></p></form>`}`,
  };
}

function typeField(name: string, label: string, value: string): Html {
  return html`<p class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}"><option value="">as in its rows</option>${optionsOf(
    choicesOf(IDENTIFIER_TYPES),
    value,
  )}</select></p>`;
}
