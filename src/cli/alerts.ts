import type { AlertList } from '../actions/alerts/list-alerts.js';
import type { ChannelTried } from '../actions/alerts/try-channels.js';
import { countOf } from '../domain/text/count-of.js';
import { visibleStrings } from '../domain/text/visible-text.js';
import { textTable } from '../report/text/layout.js';
import { localTime } from '../report/text/local-time.js';
import type { Answer, Call } from './command.js';
import type { look } from './facts/look.js';
import { usageError } from './usage-error.js';

export async function answer(call: Call<typeof look.alerts>): Promise<Answer> {
  const { inputs, options } = call;
  if (inputs[0] === 'test') return testAnswer(call);
  if (options.channel !== undefined)
    throw usageError(
      '--channel',
      '--channel names the channel to test',
      'Write registrar alerts test --channel NAME.',
    );
  const context = await call.open();
  const { listAlerts } = await import('../actions/alerts/list-alerts.js');
  const { root } = context.paths;
  const alerts = await listAlerts(context, { workspace: root === call.io.cwd ? null : root });
  return { document: () => alerts, text: (columns) => listText(visibleStrings(alerts), columns) };
}

/** Needs no ledger: a channel can be tested before the first import. */
async function testAnswer({ options, workspace, interrupt }: Call<typeof look.alerts>): Promise<Answer> {
  const { tryChannels } = await import('../actions/alerts/try-channels.js');
  const tried = await tryChannels(workspace(), options.channel ?? null, interrupt.signal);
  const failed = tried.filter(({ error }) => error !== null);
  return {
    document: () => ({ channels: tried }),
    text: () => `${tried.map(triedText).join('\n')}\n`,
    ...(failed.length > 0 ? { exit: 'attention' as const } : {}),
  };
}

function triedText({ channel, way, error }: ChannelTried): string {
  return error === null ? `${channel}: test sent by ${way}` : `${channel}: not sent by ${way}: it ${error}`;
}

function listText({ channels, open, notifications }: AlertList, columns: number | null): string {
  const failing = channels.flatMap(({ channel, failing }) =>
    failing === null
      ? []
      : [`Channel ${channel} has failed since ${localTime(failing.since)}: it ${failing.error}.`],
  );
  const names = channels.map(({ channel, way }) => `${channel} (${way})`).join(', ');
  const sections = [
    open.length === 0 ? 'No alert is open.' : `${countOf(open.length, 'alert is', 'alerts are')} open:`,
    ...open.map(({ title, text, remedy, command, openedAt, overAt, muted }) =>
      [
        overAt === null ? `${title}, opened ${localTime(openedAt)}` : title,
        ...(muted === null
          ? []
          : [`  Muted until ${localTime(muted.until)} by ${muted.who}: ${muted.because}`]),
        ...[text, remedy].filter((line) => line !== '').map((line) => `  ${line}`),
        ...(command === null ? [] : [`  > ${command}`]),
      ].join('\n'),
    ),
    channels.length === 0
      ? 'No alert channels are configured (alerts.channels in registrar.yaml), so alerts are not sent anywhere.'
      : [`Channels: ${names}`, ...failing].join('\n'),
    ...(notifications.length === 0 ? [] : [notificationsText(notifications, columns)]),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** The maximum of notifications on the screen; the document has more. */
const MAX_NOTIFICATIONS = 10;

function notificationsText(notifications: AlertList['notifications'], columns: number | null): string {
  const short = (iso: string | null) => (iso === null ? '-' : localTime(iso));
  return textTable(
    ['CHANNEL', 'WHAT', 'ABOUT', 'DUE', 'TOLD', 'FAILED'],
    notifications
      .slice(0, MAX_NOTIFICATIONS)
      .map(({ channel, what, kind, subject, code, dueAt, sentAt, tries }) => [
        channel,
        what,
        [kind, subject, ...(code === null ? [] : [code])].join(' '),
        short(dueAt),
        short(sentAt),
        tries,
      ]),
    columns,
  );
}
