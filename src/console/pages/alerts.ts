import { muteAlert } from '../../actions/alerts/mute.js';
import type { QueryResult } from '../../actions/browse/queries.js';
import { type Html, html } from '../../report/page/html.js';
import { linkTo } from '../../report/page/words.js';
import { deciderOf, type Visit } from '../work/visit.js';
import { type Page, sectionOf } from './page.js';
import { choiceField, choicesIn, formToken, hiddenFields, textField } from './parts/fields.js';
import { type Column, listTable } from './parts/list-table.js';
import { rowsHref } from './parts/report-sections.js';
import { when, whenOr } from './parts/when.js';

const PATH = '/alerts';

type Alerts = QueryResult<'alerts'>;
type Alert = Alerts['open'][number];

export const alertsPage: Page = {
  path: PATH,
  async show(visit) {
    const { open, channels, notifications } = await visit.query('alerts', {});
    return {
      title: 'Alerts',
      section: '/',
      content: html`${sectionOf('open', 'Open')`${open.length === 0 ? html`<p class="empty">No open alerts. One opens when a file, a row or the service needs attention.</p>` : listTable('Open alerts, oldest first', open, openColumns(visit))}`}
${sectionOf('channels', 'Channels')`${channels.length === 0 ? html`<p class="empty">No channel yet, so alerts are not sent anywhere. <a href="/settings">Settings</a></p>` : listTable('Channels of notifications', channels, CHANNEL_COLUMNS)}`}
${notifications.length === 0 ? '' : sectionOf('sent', 'Latest notifications')`${listTable('Notifications, latest first', notifications, NOTIFICATION_COLUMNS)}`}`,
    };
  },
};

function openColumns(visit: Visit): readonly Column<Alert>[] {
  return [
    {
      title: 'What',
      cell: ({ kind, code, title, text }) => {
        const href = kind === 'cause' ? rowsHref(visit, { cause: code ?? '' }) : null;
        return html`${linkTo(href, title)}<br><small>${text}</small>`;
      },
    },
    { title: 'Since', cell: ({ openedAt }) => when(openedAt) },
    {
      title: 'What to do',
      cell: ({ remedy }) => html`<details><summary>How to fix</summary>${remedy}</details>`,
    },
    { title: 'Notifications', cell: (alert) => notificationsOf(visit, alert) },
  ];
}

function notificationsOf(visit: Visit, { kind, subject, code, muted }: Alert): Html {
  const key = hiddenFields({ kind, subject, code: code ?? '' });
  if (muted === null) {
    return visit.mayAct
      ? html`<a href="${PATH}/mute?${new URLSearchParams({ kind, subject, code: code ?? '' }).toString()}">Mute</a>`
      : html`sent`;
  }
  return html`<span class="chip calm">muted</span> until ${when(muted.until)}${
    visit.seesPeople ? html`<br><small>by <bdi>${muted.who}</bdi>: <bdi>${muted.because}</bdi></small>` : ''
  }${
    visit.mayAct
      ? html`<form method="post" action="${PATH}/mute">${formToken(visit)}${key}${hiddenFields({ hours: '0' })}<button class="second-choice">Unmute</button></form>`
      : ''
  }`;
}

const CHANNEL_COLUMNS: readonly Column<Alerts['channels'][number]>[] = [
  { title: 'Channel', cell: ({ channel }) => channel },
  { title: 'By', cell: ({ way }) => way },
  {
    title: 'State',
    cell: ({ failing }) =>
      failing === null
        ? html`<span class="absent">no failure</span>`
        : html`<span class="chip bad">failing</span> since ${when(failing.since)}: it ${failing.error}`,
  },
];
const NOTIFICATION_COLUMNS: readonly Column<Alerts['notifications'][number]>[] = [
  { title: 'Channel', cell: ({ channel }) => channel },
  { title: 'About', cell: keyText },
  { title: 'What', cell: ({ what }) => what },
  { title: 'Sent', cell: ({ sentAt }) => whenOr(sentAt, 'not yet') },
  { title: 'Failed', cell: ({ sentAt, error }) => (sentAt === null ? (error ?? '') : '') },
];
/** What an alert is about, for people: `cause academy learner-unknown`. */
function keyText(key: Readonly<Record<'kind' | 'subject', string>> & { readonly code: string | null }) {
  return [key.kind, key.subject, key.code ?? ''].filter((part) => part !== '').join(' ');
}

/** By the number of hours. */
const TIMES = { 1: 'an hour', 4: '4 hours', 24: 'a day', 72: '3 days', 168: 'a week', 720: '30 days' };

/** The form for how long, and why, an alert is to be muted: `?kind=inbox&subject=academy&code=inbox-late`. */
export const mutePage: Page = {
  path: `${PATH}/mute`,
  roles: ['operator'],
  async show(visit) {
    const { kind = '', subject = '', code = '' } = visit.address.query;
    return {
      title: 'Mute an alert',
      section: '/',
      content: html`<p class="second">Registrar sends no notifications about ${keyText({ kind, subject, code })} for this time. Pages, status and health still show the alert.</p>
<form method="post" action="${PATH}/mute">${formToken(visit)}${hiddenFields({ kind, subject, code })}
${choiceField({ name: 'hours', label: 'For', value: '24' }, choicesIn(TIMES))}
${textField({ name: 'because', label: 'Why', value: '', isRequired: true, note: 'Kept in the audit log, with your name.' })}
<p class="buttons"><button>Mute</button> <a href="${PATH}">Cancel</a></p></form>`,
    };
  },
  async submit(visit, fields) {
    // One of a kind that there is not isn't open.
    const kind = fields.one('kind') as Alert['kind'];
    const hours = fields.one('hours');
    const mute = {
      alert: { kind, subject: fields.one('subject'), code: fields.one('code') },
      forMs: hours === '' ? Number.NaN : Number(hours) * HOUR_MS,
      because: fields.one('because'),
    };
    await muteAlert(visit.actionContext(), mute, deciderOf(visit));
    return { to: PATH };
  },
};

const HOUR_MS = 3_600_000;
