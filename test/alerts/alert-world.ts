import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SentNotifications } from '../../src/actions/alerts/reconcile-and-notify.js';
import { sendNotifications } from '../../src/actions/alerts.js';
import type { ActionContext } from '../../src/actions/context.js';
import { configSchema } from '../../src/config/schema.js';
import { systemClock } from '../../src/domain/clock.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { actionContext } from '../support/action-context.js';
import { withoutSyncs } from '../support/damage.js';
import { type ManualClock, manualClock } from '../support/manual-clock.js';
import { testLedger } from '../support/staged-ledger.js';

type Settings = Readonly<Record<string, unknown>>;

/** A test's overrides of its workspace; the rest is one source, one environment, and one channel that writes a file. */
export interface AlertWorldSpec {
  readonly start?: string;
  readonly alerts?: Settings;
  readonly source?: Settings;
  readonly environment?: Settings;
}

/** A workspace with a manual clock, and what its channels have sent. */
export interface AlertWorld {
  readonly ledger: Ledger;
  readonly clock: ManualClock;
  readonly root: string;
  readonly context: ActionContext;
  /** Reads the status, and sends what is due. */
  notify(stop?: AbortSignal): Promise<SentNotifications>;
  /** The messages of a file: event, kind, subject and code of each alert. */
  notifications(file?: string): string[][];
  /** The messages of a file, unparsed. */
  messages(file?: string): Message[];
}

/** What tests read of a message. */
export interface Message {
  readonly title: string;
  readonly alerts: readonly (Readonly<Record<string, unknown>> & { readonly details: readonly string[] })[];
}

const FILE = 'alerts.jsonl';

/** Makes the world; it is gone when the test ends. */
export function alertWorld({
  start,
  alerts = {},
  source = {},
  environment = {},
}: AlertWorldSpec = {}): AlertWorld {
  // Channels wait in real time: they run real programs and servers.
  const clock = { ...manualClock(start), sleep: systemClock().sleep };
  const ledger = testLedger(clock);
  withoutSyncs(ledger);
  const root = dirname(ledger.file.path);
  const config = configSchema.parse({
    environments: {
      main: {
        baseUrl: 'https://platform.example',
        authUrl: 'https://login.platform.example',
        clientId: 'x',
        clientSecret: 'y',
        ...environment,
      },
    },
    sources: [{ name: 'academy', operation: 'submit-completion', environment: 'main', ...source }],
    alerts: { recoverAfter: '0s', channels: [{ name: 'log', file: FILE }], ...alerts },
  });
  const context = actionContext(ledger, config);
  const messages = (file = FILE) => {
    const path = join(root, file);
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as Message);
  };
  return {
    ledger,
    clock,
    root,
    context,
    notify: (stop) => sendNotifications(context, stop),
    messages,
    notifications: (file) => messages(file).map((message) => message.alerts.map(named)),
  };
}

function named({ event, kind, subject, code }: Readonly<Record<string, unknown>>): string {
  return [event, kind, subject, ...(code === null ? [] : [code])].join(' ');
}
