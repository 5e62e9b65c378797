import { hostname } from 'node:os';
import { send } from '../../alerts/channels/send.js';
import { testMessage } from '../../alerts/message.js';
import { isoFromMs } from '../../domain/clock.js';
import { errorsOf } from '../../domain/operator-error.js';
import type { Workspace } from '../context.js';
import { channelKind } from './list-alerts.js';

export type ChannelTest = Awaited<ReturnType<typeof testChannels>>[number];

/**
 * Sends a message that tries each channel. Nothing is kept of it. @param name null: all channels.
 * @returns for each `error`: why it didn't go, as the end of a sentence about the channel; null: it went.
 */
export async function testChannels(
  workspace: Pick<Workspace, 'config' | 'clock' | 'paths'>,
  name: string | null,
  stop: AbortSignal,
) {
  const { config, clock, paths } = workspace;
  const { channels } = config.alerts;
  const chosen = channels.filter((channel) => name === null || channel.name === name);
  if (chosen.length === 0) {
    const names = channels.map((channel) => channel.name).join(', ');
    const none = 'registrar.yaml has no channel of alerts';
    const hint = 'Add one, such as: alerts: { channels: [{ name: log, file: alerts.jsonl }] }';
    const refusal = errorsOf('try a channel');
    throw names === ''
      ? refusal('alerts', none, hint)
      : refusal(name ?? 'alerts', `${none} "${name}"`, `It has: ${names}.`);
  }
  return Promise.all(
    chosen.map(async (channel) => {
      const message = testMessage({ at: isoFromMs(clock.nowMs()), ...originOf(workspace) }, channel.name);
      const error = await send(channel, message, { clock, root: paths.root, stop });
      return { channel: channel.name, way: channelKind(channel), error };
    }),
  );
}

/** The machine and the workspace that send notifications, and where people see more of them. */
export function originOf({ paths, config }: Pick<Workspace, 'paths' | 'config'>) {
  return { host: hostname(), workspace: paths.root, console: config.console.url ?? null };
}
