import { assignCause } from '../../../actions/assign.js';
import type { QueryResult } from '../../../actions/browse/queries.js';
import { type Html, html } from '../../../report/page/html.js';
import { deciderOf } from '../../visits/visit.js';
import type { Page } from '../page.js';
import { formToken, hiddenFields, textField } from '../parts/fields.js';
import { when } from '../parts/when.js';

export const ASSIGN_PATH = '/attention/assign';

type Assigned = QueryResult<'causes'>['assigned'][number];

/** Who cares for a cause, and what was said with it. */
export function assignedText({ value, about, who, at }: Assigned): Html {
  return html`<bdi>${value}</bdi>${about === '' ? '' : html`: <bdi>${about}</bdi>`}<br><small>by <bdi>${who}</bdi>, ${when(at)}</small>`;
}

/** The form for who is to care for the rows of a cause: `?cause=learner-unknown`. */
export const assignPage: Page = {
  path: ASSIGN_PATH,
  roles: ['operator'],
  async show(visit, context) {
    const { cause = '' } = visit.address.query;
    const { assigned } = await context.query('causes', {});
    const note = assigned.find(({ subject }) => subject === cause);
    const { users } = context.actionContext().config.console;
    const known = [...new Set([visit.person.name, ...users.map(({ name }) => name)])];
    return {
      title: `Assign ${cause}`,
      section: '/attention',
      content: html`${note === undefined ? '' : html`<p class="second">Assigned to ${assignedText(note)}</p>`}
<form method="post" action="${ASSIGN_PATH}">${formToken(visit)}${hiddenFields({ cause })}
${textField({ name: 'person', label: 'Person', value: note?.value ?? visit.person.name, note: 'Empty: unassigned.', choices: known })}
${textField({ name: 'comment', label: 'Comment', value: '' })}
<p class="buttons"><button>Assign</button> <a href="/attention">Cancel</a></p></form>`,
    };
  },
  async submit(visit, fields, context) {
    const note = { cause: fields.one('cause'), person: fields.one('person'), comment: fields.one('comment') };
    await assignCause(context.actionContext(), note, deciderOf(visit));
    return { to: '/attention' };
  },
};
