import { hostname } from 'node:os';
import { send } from '../../alerts/channels/send.js';
import { type AlertMessage, testMessage } from '../../alerts/message.js';
import { isoFromMs } from '../../domain/clock.js';
import { OperatorError } from '../../domain/operator-error.js';
import type { Workspace } from '../context.js';
import { wayOf } from './list-alerts.js';

export type ChannelTried = Awaited<ReturnType<typeof tryChannels>>[number];

/**
 * Sends a message that tries each channel. Nothing is kept of it. @param name null: all channels.
 * @returns for each `error`: why it didn't go, as the end of a sentence about the channel; null: it went.
 */
export async function tryChannels(
  workspace: Pick<Workspace, 'config' | 'clock' | 'paths'>,
  name: string | null,
  stop: AbortSignal,
) {
  const { config, clock, paths } = workspace;
  const { channels } = config.alerts;
  const chosen = channels.filter((channel) => name === null || channel.name === name);
  const names = channels.map((channel) => channel.name);
  if (chosen.length === 0) throw noChannel(name, names);
  return Promise.all(
    chosen.map(async (channel) => {
      const message = testMessage({ at: isoFromMs(clock.nowMs()), ...originOf(workspace) }, channel.name);
      const error = await send(channel, message, { clock, root: paths.root, stop });
      return { channel: channel.name, way: wayOf(channel), error };
    }),
  );
}

/** The machine and the workspace that send notifications, and where people see more of them. */
export function originOf({
  paths,
  config,
}: Pick<Workspace, 'paths' | 'config'>): Pick<AlertMessage, 'host' | 'workspace' | 'console'> {
  return { host: hostname(), workspace: paths.root, console: config.console.url ?? null };
}

function noChannel(name: string | null, names: readonly string[]): OperatorError {
  const isNone = names.length === 0;
  return new OperatorError({
    operation: 'try a channel',
    subject: name ?? 'alerts',
    message: isNone
      ? 'registrar.yaml has no channel of alerts'
      : `registrar.yaml has no channel of alerts "${name}"`,
    hint: isNone
      ? 'Add one, such as: alerts: { channels: [{ name: log, file: alerts.jsonl }] }'
      : `It has: ${names.join(', ')}.`,
  });
}
