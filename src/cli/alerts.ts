import type { AlertList } from '../actions/alerts/list-alerts.js';
import type { ChannelTest } from '../actions/alerts/test-channels.js';
import { countOf } from '../domain/text/count-of.js';
import { visibleStrings } from '../domain/text/visible-text.js';
import { localTime } from '../report/text/local-time.js';
import type { Answer, Call } from './command.js';
import type { look } from './facts.js';
import { workspaceToName } from './io.js';
import { usageError } from './usage-error.js';

export async function answer(call: Call<typeof look.alerts>): Promise<Answer> {
  const { inputs, options } = call;
  if (inputs[0] === 'test') return testAnswer(call);
  if (options.channel !== undefined)
    throw usageError('--channel', '--channel is for alerts test', 'Write alerts test --channel NAME.');
  const context = await call.open();
  const { listAlerts } = await import('../actions/alerts/list-alerts.js');
  const alerts = await listAlerts(context, { workspace: workspaceToName(call.io, context.paths.root) });
  return { document: () => alerts, text: () => listText(visibleStrings(alerts)) };
}

/** Needs no ledger: a channel can be tested before the first import. */
async function testAnswer({ options, workspace, interrupt }: Call<typeof look.alerts>): Promise<Answer> {
  const { testChannels } = await import('../actions/alerts/test-channels.js');
  const results = await testChannels(workspace(), options.channel ?? null, interrupt.signal);
  const failed = results.filter(({ error }) => error !== null);
  return {
    document: () => ({ channels: results }),
    text: () => `${results.map(resultText).join('\n')}\n`,
    ...(failed.length > 0 ? { exit: 'attention' as const } : {}),
  };
}

function resultText({ channel, way, error }: ChannelTest): string {
  return error === null ? `${channel}: test sent by ${way}` : `${channel}: not sent by ${way}: it ${error}`;
}

function listText({ channels, open }: AlertList): string {
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
        overAt === null ? `${title} · opened ${localTime(openedAt)}` : title,
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
  ];
  return `${sections.join('\n\n')}\n`;
}
