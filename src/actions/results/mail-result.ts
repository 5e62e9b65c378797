import { readFileSync, statSync } from 'node:fs';
import { ChannelError } from '../../alerts/channels/channel-error.js';
import { sendMail, tryMailServer } from '../../alerts/channels/email.js';
import type { ChannelConfig } from '../../config/schema/alerts-schema.js';
import type { Config } from '../../config/schema.js';
import { type Clock, msFromIso } from '../../domain/clock.js';
import { isAttentionName } from '../../domain/files/attention-columns.js';
import { refusalReason } from '../../domain/issue.js';
import { agreeing, countOf } from '../../domain/text/count-of.js';
import { visibleText } from '../../domain/text/visible-text.js';
import { putFault } from '../../inbox/remote-place.js';
import type { ResultTarget } from '../../inbox/result-place.js';
import type { ResultDocument, WrittenResult } from '../../report/result/write-result.js';

type MailTarget = NonNullable<ResultTarget['results']['mail']>;

interface Mailing {
  readonly target: ResultTarget;
  readonly config: Config;
  readonly clock: Clock;
  readonly stop: AbortSignal;
}

const MAX_ATTACHED_BYTES = 15_000_000;

/**
 * Mails a result to the sender of the file, by a channel of alerts: counts and a link, which name no learner, and the files
 * where they are to be attached. Throws OperatorError.
 */
export async function mailResult(
  { document, files }: WrittenResult,
  { to, attach }: MailTarget,
  mailing: Mailing,
): Promise<void> {
  const isAttached =
    attach && files.reduce((sum, { path }) => sum + statSync(path).size, 0) <= MAX_ATTACHED_BYTES;
  const more = [
    ...(attach && !isAttached ? ['The files are too large for a mail.'] : []),
    ...(isAttached && files.some(({ name }) => isAttentionName(name))
      ? ['Correct the rows in the attached workbook, and send it where you send your files.']
      : []),
  ];
  const refused = await throughChannel(mailing, (email, bounds) =>
    sendMail(
      email,
      {
        to: [to],
        ...textOf(document, mailing.config.console.url ?? null, more),
        attachments: isAttached
          ? files.map(({ name, path }) => ({ filename: name, content: readFileSync(path) }))
          : [],
        // The same where a crash makes it be sent again, another one where the file has come again.
        messageId: `<${document.drop}.${msFromIso(document.importedAt)}.${document.sha256}@registrar>`,
      },
      bounds,
    ),
  );
  if (refused > 0) throw putFault(mailing.target, 'the mail server refuses the address', null);
}

/** Connects to the mail server and signs in; sends nothing. Throws OperatorError. */
export async function tryMail(mailing: Mailing): Promise<void> {
  await throughChannel(mailing, tryMailServer);
}

async function throughChannel<T>(
  { target, config, clock, stop }: Mailing,
  work: (email: NonNullable<ChannelConfig['email']>, bounds: Parameters<typeof sendMail>[2]) => Promise<T>,
): Promise<T> {
  const channelName = target.results.mail?.channel;
  const channel = config.alerts.channels.find(
    ({ name, email }) => email !== undefined && (channelName === undefined || name === channelName),
  );
  if (channel?.email === undefined) throw new Error('the configuration has no channel for the mail');
  try {
    return await work(channel.email, { clock, limitMs: channel.timeLimitMs, stop });
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error;
    throw putFault(target, `channel ${channel.name} ${error.message}`, error);
  }
}

/** Subject and text. A refusal is named by its kind: its sentence may quote a person's row. */
function textOf(
  { source, file, drop, code, rows, accepted, refused, waiting }: ResultDocument,
  console: string | null,
  more: readonly string[],
): { readonly subject: string; readonly text: string } {
  const name = visibleText(file);
  const counts = [
    `${countOf(accepted, 'row')} accepted`,
    `${refused} ${agreeing(refused, 'needs', 'need')} attention`,
    ...(waiting === 0 ? [] : [`${waiting} ${agreeing(waiting, 'waits', 'wait')} to be sent`]),
  ];
  const what =
    code === null
      ? `imported ${name} for source ${source}: ${countOf(rows, 'row')}.\n\n${counts.map((count) => `- ${count}`).join('\n')}`
      : `refused ${name} for source ${source}: ${refusalReason(code)}. None of its rows were imported.`;
  const link = console === null ? [] : [`Details: ${console.replace(/(?<!\/)\/+$/, '')}/files/${drop}`];
  return {
    subject: `[Registrar] ${name}${code === null ? `: ${counts.join(', ')}` : ' was refused'}`,
    text: `${[`Registrar ${what}`, ...more, ...link].join('\n\n')}\n`,
  };
}
