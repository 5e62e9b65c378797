import { stat, statfs } from 'node:fs/promises';
import { type Counted, countOn, NOTHING_COUNTED } from '../../ledger/books/count-on.js';
import { type LedgerMetrics, readMetrics } from '../../ledger/books/read-metrics.js';
import type { DeliveryEstimate } from '../../report/status/delivery-estimate.js';
import { requestsAllowed } from '../../report/status/estimate.js';
import { estimatesOf } from '../../report/status/estimates-of.js';
import { environmentsOf } from '../../report/status/status.js';
import { requireInPlace } from '../../upkeep/expected-ledger.js';
import type { ActionContext } from '../context.js';
import { keptFor } from './kept-for.js';

/** The work in numbers, for those who watch it over time. No learner, no file and no address is among them. */
export interface Figures extends LedgerMetrics {
  /** What the ledger holds of what only grows; null until it is counted, which goes on in the background. */
  readonly counted: Pick<Counted, 'attempts' | 'arrivals'> | null;
  readonly estimates: readonly DeliveryEstimate[];
  /** Requests that each environment's quota allows in a period, what is reserved for people left out. */
  readonly quotas: readonly {
    readonly environment: string;
    readonly requests: number;
    readonly perMs: number;
  }[];
  readonly ledgerBytes: number;
  /** For this user, where the ledger lies. */
  readonly freeBytes: number;
}

/** Reads figures now and then, however often it is asked. */
export interface FiguresReader {
  /** Throws where the ledger can't be read. */
  read(): Promise<Figures>;
  /** Stops counting in the background. */
  close(): Promise<void>;
}

/** Numbers of a moment: younger ones nobody draws. */
const PRESENT = { leastMs: 2_000, times: 20 };

/** An estimate reads the waiting rows where their requests may be shared; then half a second for each 200,000. */
const ESTIMATE = { leastMs: 10_000, times: 50 };

/** How long figures wait for the first count; a ledger of a million answers takes half a second. */
const FIRST_COUNT_MS = 1_000;

/** @param context asked anew each time, because the configuration may be read again. */
export function readFigures(context: () => ActionContext): FiguresReader {
  const { clock } = context();
  const present = keptFor(clock, PRESENT, async () => {
    const { ledger, config } = context();
    requireInPlace(ledger);
    return readMetrics(ledger, environmentsOf(config));
  });
  const estimates = keptFor(clock, ESTIMATE, () =>
    estimatesOf(context(), Object.keys(context().config.environments)),
  );
  const counting = countInBackground(context);
  return {
    async read() {
      const { config, paths } = context();
      const quotas = Object.entries(config.environments).map(([environment, settings]) => ({
        environment,
        requests: requestsAllowed(settings),
        perMs: settings.quota.perMs,
      }));
      return {
        ...(await present()),
        counted: await counting.counted(),
        estimates: await estimates(),
        quotas,
        ledgerBytes: (await sizeOf(paths.ledger)) + (await sizeOf(`${paths.ledger}-wal`)),
        freeBytes: await freeBytes(paths.root),
      };
    },
    close: counting.close,
  };
}

/** Counts page by page, and lets everything else of this process go first. */
function countInBackground(context: () => ActionContext) {
  const ended = new AbortController();
  const { clock } = context();
  let counted = NOTHING_COUNTED;
  const goOn = async () => {
    do {
      counted = await countOn(context().ledger, counted);
      // Not only a turn: staging and delivery shall have most of the time.
      if (!counted.isComplete) await clock.sleep(PAUSE_MS, ended.signal);
    } while (!counted.isComplete && !ended.signal.aborted);
  };
  let going: Promise<void> | null = null;
  return {
    async counted() {
      going ??= goOn().finally(() => {
        going = null;
      });
      const isFirst = !counted.isComplete;
      await Promise.race([going, ...(isFirst ? [clock.sleep(FIRST_COUNT_MS, ended.signal)] : [])]);
      return counted.isComplete ? counted : null;
    },
    async close() {
      ended.abort();
      await going?.catch(() => {});
    },
  };
}

const PAUSE_MS = 5;

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
