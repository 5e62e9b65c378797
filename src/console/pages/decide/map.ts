import { hash } from 'node:crypto';
import { IDENTIFIER_TYPES } from '../../../actions/learners/learners-named.js';
import { carryOut, type Mapping, type MapRequest } from '../../../actions/map.js';
import { OperatorError } from '../../../domain/operator-error.js';
import { agreeing } from '../../../domain/text/count-of.js';
import { type Html, html } from '../../../report/page/html.js';
import { counted } from '../../../report/text/counted.js';
import { type Address, hrefOf } from '../../visits/address.js';
import type { Visit } from '../../visits/visit.js';
import type { Form } from '../form.js';
import type { Page, Shown } from '../page.js';
import { chosenRows } from './chosen-rows.js';
import { type DecisionAsked, decisionForm, reasonIn, toDecision, told, whyNotYet } from './decision-form.js';

const PATH = '/decide/map';
const TITLE = 'Map a learner';

/** What a learner's corrected identifier would change, `?old=…&new=…`; without both, the form that asks for them. */
export const mapPage: Page = {
  path: PATH,
  roles: ['operator'],
  async show(visit, desk) {
    const request = requestIn(visit.address);
    if (request === null) return asksWhom(visit.address, null);
    try {
      return shownPlan(visit, await desk.ask('mapPlan', request));
    } catch (error) {
      if (!(error instanceof OperatorError) || error.operation !== 'map a learner') throw error;
      return asksWhom(visit.address, error.message);
    }
  },
};

/**
 * Decides it. A page that has said already what is corrected, such as the list of unknown learners, sends no figures: then a reason
 * is enough.
 */
export const mapForm: Form = {
  path: PATH,
  async submit(visit, fields, desk) {
    const request = requestIn(visit.address);
    if (request === null) return { shown: asksWhom(visit.address, null) };
    const planned = await desk.ask('mapPlan', request);
    const because = reasonIn(fields);
    const { seen } = asked(planned);
    const told = fields.names().includes('seen') ? fields : { ...fields, one: oneOr(fields.one, seen) };
    const notYet = whyNotYet(told, asked(planned));
    if (because === null || notYet !== null)
      return { shown: { ...shownPlan(visit, planned, notYet, because ?? ''), status: 409 } };
    const who = { name: visit.person.name, door: 'console' as const };
    const { decisionId } = await carryOut(desk.context(), planned, who, because);
    return toDecision(decisionId);
  },
};

/** Where the correction of an identifier is planned and decided. Personal. */
export function mapPath(query: {
  readonly old: string;
  readonly new: string;
  readonly type: string;
}): string {
  return hrefOf({ path: PATH, query });
}

/** Asks for both identifiers. @param said what is wrong with those that were given; null: nothing yet. */
function asksWhom({ query }: Address, said: string | null): Shown {
  return {
    title: TITLE,
    section: '/learners',
    ...(said === null ? {} : { status: 409 as const }),
    content: html`${told(said === null ? null : `${said}. Look at both identifiers; nothing was changed.`, 'bad')}
<section aria-labelledby="whom"><h2 id="whom">Whose identifier is wrong?</h2>
<form method="get" action="${PATH}">
${identifierField('old', 'The identifier in the files', query.old ?? '')}
${typeField('type', 'Its type', query.type ?? '')}
${identifierField('new', 'The identifier that the platform knows', query.new ?? '')}
${typeField('newType', 'Its type, where that is another', query.newType ?? '')}
<p class="buttons"><button>Show what would change</button> <a href="/learners">Learners</a></p></form></section>`,
  };
}

function identifierField(name: string, label: string, value: string): Html {
  return html`<p class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="text" required maxlength="320" autocomplete="off" autocapitalize="none" spellcheck="false" value="${value}"></p>`;
}

function typeField(name: string, label: string, value: string): Html {
  return html`<p class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}"><option value="">as in its rows</option>${IDENTIFIER_TYPES.map(
    (type) => html`<option value="${type}"${type === value ? html` selected` : ''}>${type}</option>`,
  )}</select></p>`;
}

function requestIn({ query }: Address): MapRequest | null {
  const { old = '', new: now = '', type = '', newType = '' } = query;
  if (old.trim() === '' || now.trim() === '') return null;
  return { old, now, type: type === '' ? undefined : type, newType: newType === '' ? undefined : newType };
}

function oneOr(one: (name: string) => string, seen: string): (name: string) => string {
  return (name) => (name === 'seen' ? seen : one(name));
}

function asked({ rows }: Mapping): DecisionAsked {
  const which = hash('sha256', String(rows.map(({ submissionId, state }) => `${submissionId} ${state}`)));
  return { button: 'Map', needsReason: true, seen: `${rows.length} ${which.slice(0, 16)}` };
}

function shownPlan(visit: Visit, planned: Mapping, said: string | null = null, because = ''): Shown {
  const { correction, now, rows, states, replacesEarlier } = planned;
  const { accepted = 0, sending = 0 } = states;
  const lines = [
    ...(now.hash === correction.now.hash
      ? []
      : [html`That one was corrected before: in the end <bdi>${now.id}</bdi> counts.`]),
    'In files to come it is corrected as well.',
    ...(accepted > 0
      ? [
          `${counted(accepted, 'row')} accepted under the old identifier ${agreeing(accepted, 'stays, and is', 'stay, and are')} not sent again.`,
        ]
      : []),
    ...(sending > 0
      ? [
          `${counted(sending, 'row')} under way ${agreeing(sending, 'is', 'are')} left alone: correct once more when the answer is there.`,
        ]
      : []),
    ...(replacesEarlier ? ['The old identifier was corrected before; this takes the place of that.'] : []),
    'A similar identifier may belong to another person: check before you decide. It can be corrected again, but not taken back.',
  ];
  return {
    title: TITLE,
    section: '/learners',
    content: html`${told(said)}
<section aria-labelledby="plan"><h2 id="plan">${counted(rows.length, 'row')} of <bdi>${correction.old.id}</bdi> (${correction.old.type}) ${agreeing(rows.length, 'goes', 'go')} to <bdi>${correction.now.id}</bdi> (${correction.now.type})</h2>
<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>
${decisionForm(visit, { ...asked(planned), because })}
</section>
${chosenRows({
  first: rows.slice(0, MOST_SHOWN).map((row) => ({ ...row, environment: '' })),
  rows: { total: rows.length, groups: [] },
  leftOut: [],
})}`,
  };
}

const MOST_SHOWN = 50;
