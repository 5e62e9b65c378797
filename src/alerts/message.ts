import type { Alert, AlertWords, NotificationEvent } from '../domain/alerts/alert.js';
import { visibleStrings } from '../domain/text/visible-text.js';
import { VERSION } from '../version.js';

export interface AlertMessage {
  readonly at: string;
  /** The machine and the workspace that send it. */
  readonly host: string;
  readonly workspace: string;
  /** The address of the console; null: registrar.yaml names none. */
  readonly console: string | null;
  /** True for a message that only tries the channel. */
  readonly isTest: boolean;
  readonly title: string;
  readonly entries: readonly AlertEntry[];
}

export interface AlertEntry {
  readonly event: NotificationEvent;
  readonly isUrgent: boolean;
  readonly alert: Alert;
  /** `details`: what only channels with `details` send, in sentences: names of files, the platform's words. */
  readonly words: AlertWords & { readonly details: readonly string[] };
}

/** A message about these alerts, of which there is one at least. The title is that of the most pressing one. */
export function messageOf(
  entries: readonly AlertEntry[],
  from: Pick<AlertMessage, 'at' | 'host' | 'workspace' | 'console'>,
): AlertMessage {
  const sorted = [...entries].sort((a, b) => pressing(b) - pressing(a));
  const first = sorted[0]?.words.title ?? '';
  const title = sorted.length > 1 ? `${first}, and ${sorted.length - 1} more` : first;
  return visibleStrings({ ...from, isTest: false, title, entries: sorted });
}

function pressing({ event, isUrgent }: AlertEntry): number {
  return (event === 'opened' ? 2 : 0) + (isUrgent ? 1 : 0);
}

export function testMessage(
  from: Pick<AlertMessage, 'at' | 'host' | 'workspace' | 'console'>,
  channel: string,
): AlertMessage {
  return visibleStrings({ ...from, isTest: true, title: `a test of channel ${channel}`, entries: [] });
}

/** What programs read: the body of a webhook, the line of a file, the stdin of a command. docs/alerts.md describes it. */
export function documentOf({ at, host, workspace, console, isTest, title, entries }: AlertMessage) {
  return {
    registrar: VERSION,
    at,
    host,
    workspace,
    console,
    test: isTest,
    title,
    alerts: entries.map(({ event, isUrgent, alert, words }) => ({
      alert: alert.alertId,
      event,
      kind: alert.kind,
      subject: alert.subject,
      code: alert.code === '' ? null : alert.code,
      urgent: isUrgent,
      openedAt: alert.openedAt,
      overAt: alert.overAt,
      closedAt: alert.closedAt,
      facts: alert.facts,
      ...words,
    })),
  };
}

/** People read no more in one message; `registrar alerts` lists them all. */
const MAX_SHOWN = 30;

export function linesOf({ isTest, host, workspace, console, entries }: AlertMessage): string[] {
  const hidden = entries.length - MAX_SHOWN;
  const lines = entries
    .slice(0, MAX_SHOWN)
    .flatMap(({ words: { title, text, remedy, command, details } }) => [
      title,
      ...[text, remedy, ...details].filter((line) => line !== '').map((line) => `  ${line}`),
      ...(command === null ? [] : [`  > ${command}`]),
      '',
    ]);
  return [
    ...(isTest ? [TEST_TEXT, ''] : lines),
    ...(hidden > 0 ? [`… and ${hidden} more: registrar alerts lists what is open.`, ''] : []),
    ...(console === null ? [] : [`Console: ${console}`]),
    `Registrar on ${host}, workspace ${workspace}`,
  ];
}

const TEST_TEXT = 'This is only a test of the alert channel.';
