import type { QueryResult } from '../../actions/browse/queries.js';
import { html } from '../../report/page/html.js';
import { type Page, sectionOf } from './page.js';
import { type Column, listTable } from './parts/list-table.js';
import { when, whenOr } from './parts/when.js';

type Alerts = QueryResult<'alerts'>;

export const alertsPage: Page = {
  path: '/alerts',
  async show(visit) {
    const { open, channels, notifications } = await visit.query('alerts', {});
    return {
      title: 'Alerts',
      section: '/',
      content: html`${sectionOf('open', 'Open')`${open.length === 0 ? html`<p class="empty">No alert is open.</p>` : listTable('Open alerts, oldest first', open, OPEN_COLUMNS)}`}
${sectionOf('channels', 'Channels')`${channels.length === 0 ? html`<p class="empty">No channel yet, so alerts are not sent anywhere. Add one to <code>alerts.channels</code> in registrar.yaml.</p>` : listTable('Channels of notifications', channels, CHANNEL_COLUMNS)}`}
${notifications.length === 0 ? '' : sectionOf('sent', 'Latest notifications')`${listTable('Notifications, latest first', notifications, NOTIFICATION_COLUMNS)}`}`,
    };
  },
};

const OPEN_COLUMNS: readonly Column<Alerts['open'][number]>[] = [
  { title: 'What', cell: ({ title, text }) => html`${title}<br><small>${text}</small>` },
  { title: 'Since', cell: ({ openedAt }) => when(openedAt) },
  {
    title: 'What to do',
    cell: ({ remedy }) => html`<details><summary>How to fix</summary>${remedy}</details>`,
  },
];

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
  { title: 'About', cell: ({ kind, subject, code }) => [kind, subject, code].filter(Boolean).join(' ') },
  { title: 'What', cell: ({ what }) => what },
  { title: 'Sent', cell: ({ sentAt }) => whenOr(sentAt, 'not yet') },
  { title: 'Failed', cell: ({ sentAt, error }) => (sentAt === null ? (error ?? '') : '') },
];
