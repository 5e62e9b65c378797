import { addToken, revokeToken } from '../../../actions/access/tokens.js';
import type { QueryResult } from '../../../actions/browse/queries.js';
import { ROLES } from '../../../domain/access/role.js';
import { isoFromMs } from '../../../domain/clock.js';
import { type Html, html } from '../../../report/page/html.js';
import { bodyRefusal } from '../../work/status-of.js';
import { deciderOf, type Visit } from '../../work/visit.js';
import { type Page, SEE_ROWS, sectionOf } from '../page.js';
import { choiceField, choicesIn, choicesOf, formToken, textField } from '../parts/fields.js';
import { type Column, listTable } from '../parts/list-table.js';
import { parseChoice } from '../parts/parse-params.js';
import { when, whenOr } from '../parts/when.js';

const PATH = '/settings/access';

/** By the number of days. */
const VALIDITIES = { 30: '30 days', 90: '90 days', 365: 'a year', '': 'until revoked' };

type Token = QueryResult<'access'>['tokens'][number];

export const accessPage: Page = {
  path: PATH,
  roles: SEE_ROWS,
  async show(visit) {
    const { tokens: listed, signIns } = await visit.query('access', {});
    return {
      title: 'Users and tokens',
      section: '/settings',
      content: html`${users(visit, signIns)}
${sectionOf('tokens', 'Tokens of programs')`${listed.length === 0 ? html`<p class="empty">No tokens yet. A program needs one to use <a href="/help/api">the HTTP interface</a>.</p>` : tokens(visit, listed)}`}
${visit.mayAct ? addForm(visit) : ''}`,
    };
  },
  async submit(visit, fields) {
    const name = fields.one('name').trim();
    const role = parseChoice(fields.one('role'), ROLES);
    if (role === null) throw bodyRefusal(422, 'no role was chosen', `Choose one of ${ROLES.join(', ')}.`);
    const days = fields.one('days').trim();
    const request = { name, role, days: days === '' ? null : Number(days) };
    const { secret, expiresAt } = await addToken(visit.actionContext(), request, deciderOf(visit));
    return {
      page: {
        title: `The token of ${name}`,
        section: '/settings',
        content: html`<p class="notice good" role="status">Copy it now: it is not shown again.${expiresAt === null ? '' : html` It is valid until ${when(expiresAt)}.`}</p>
<pre class="answer" tabindex="0">${secret}</pre>
<p><a href="${PATH}">Users and tokens</a></p>`,
      },
    };
  },
  forms: {
    async revoke(visit, fields) {
      await revokeToken(visit.actionContext(), fields.one('name'), deciderOf(visit));
      return { to: PATH };
    },
  },
};

function users(visit: Visit, signIns: QueryResult<'access'>['signIns']): Html {
  const { users, proxy, oidc } = visit.actionContext().config.console;
  const others = [
    ...(proxy === undefined ? [] : ['people who sign in through the proxy']),
    ...(oidc === undefined ? [] : ['people who sign in through the provider']),
  ];
  const columns: readonly Column<(typeof users)[number]>[] = [
    { title: 'Name', cell: ({ name }) => html`<bdi>${name}</bdi>` },
    { title: 'Role', cell: ({ role }) => role },
    { title: 'Last sign-in', cell: ({ name }) => whenOr(signIns.get(name) ?? null, 'never recorded') },
  ];
  return sectionOf('users', 'Users')`
${users.length === 0 ? '' : listTable('Users, and when they signed in', users, columns)}
<p class="note">${others.length === 0 ? '' : `Also ${others.join(' and ')}. `}Users are changed in registrar.yaml: <code>registrar user hash NAME --role ROLE</code> prints the lines. <a href="/audit?kind=sign-in">Sign-ins</a></p>`;
}

function tokens(visit: Visit, rows: readonly Token[]): Html {
  const columns: readonly Column<Token>[] = [
    { title: 'Name', cell: ({ name }) => html`<bdi>${name}</bdi>` },
    { title: 'Role', cell: ({ role }) => role },
    { title: 'Added', cell: ({ added }) => html`${when(added.at)} by ${added.name}` },
    { title: 'Last used', cell: ({ lastUsedAt }) => whenOr(lastUsedAt, 'never') },
    { title: 'Expires', cell: ({ expiresAt }) => whenOr(expiresAt, 'never') },
    {
      title: 'State',
      cell: ({ name, expiresAt, revoked }) =>
        revoked !== null
          ? html`<span class="chip calm">revoked</span> ${when(revoked.at)} by ${revoked.name}`
          : html`${expiresAt !== null && expiresAt <= isoFromMs(visit.nowMs) ? html`<span class="chip calm">expired</span>` : visit.mayAct ? '' : 'valid'}${
              visit.mayAct
                ? html`<form method="post" action="${PATH}/revoke">${formToken(visit)}<input type="hidden" name="name" value="${name}"><button class="second-choice" aria-label="Revoke ${name}">Revoke</button></form>`
                : ''
            }`,
    },
  ];
  return listTable('Tokens of programs, when they were used, and by whom they were added', rows, columns);
}

function addForm(visit: Visit): Html {
  return sectionOf('add', 'Add a token')`<form method="post" action="${PATH}">${formToken(visit)}
${textField({ name: 'name', label: 'Name of the program', value: '', isRequired: true, note: 'What it does is recorded under this name.' })}
${choiceField({ name: 'role', label: 'Role', value: 'viewer' }, choicesOf(ROLES))}
${choiceField({ name: 'days', label: 'Valid for', value: '90' }, choicesIn(VALIDITIES))}
<p class="buttons"><button>Add</button></p></form>`;
}
