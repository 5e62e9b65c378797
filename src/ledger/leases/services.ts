import { hostname } from 'node:os';
import { isoFromMs } from '../../domain/clock.js';
import { updateRows } from '../store/by-key.js';
import { isAmong } from '../store/dialect.js';
import { change, type Ledger, query, writing } from '../store/query.js';
import type { Tables } from '../store/schema.js';
import { isGone, type Owner, processOf } from './owner.js';

/** A service without a heartbeat for so long is gone: it sends one every minute. */
const SILENCE_MS = 180_000;

/** Records that a service starts, and deletes the services that have stopped or are gone. */
export async function signOn(ledger: Ledger, owner: Owner): Promise<void> {
  await writing(ledger, async (ledger) => {
    const services = await ledger.db.selectFrom('service').selectAll().execute();
    const gone = services.flatMap((service) => (isAlive(ledger, service) ? [] : service.owner));
    await change(ledger, query.deleteFrom('service').where(isAmong('owner', gone)));
    const started_at = isoFromMs(ledger.clock.nowMs());
    const service = { owner: owner.id, ...processOf(ledger, owner), started_at, stopped_at: null };
    await ledger.db
      .insertInto('service')
      .values({ ...service, ...seenNow(ledger) })
      .execute();
  });
}

/** Records a heartbeat of a service. */
export async function recordHeartbeat(ledger: Ledger, { id }: Owner): Promise<void> {
  await updateRows(ledger, 'service', { owner: id }, seenNow(ledger));
}

/** Records that a service has stopped, so that it isn't reported as gone. */
export async function signOff(ledger: Ledger, { id }: Owner): Promise<void> {
  await updateRows(ledger, 'service', { owner: id }, { stopped_at: isoFromMs(ledger.clock.nowMs()) });
}

function seenNow({ clock }: Ledger) {
  return { seen_at: isoFromMs(clock.nowMs()), seen_mono_ms: clock.monotonicMs() };
}

/** The running services and those that have stopped since the last start of one, the latest heartbeat first. */
export async function knownServices(ledger: Ledger) {
  const services = await ledger.db.selectFrom('service').selectAll().orderBy('seen_at', 'desc').execute();
  return services.map((service) => ({
    pid: service.pid,
    host: service.host,
    startedAt: service.started_at,
    seenAt: service.seen_at,
    stoppedAt: service.stopped_at,
    isAlive: isAlive(ledger, service),
  }));
}

function isAlive(ledger: Ledger, service: Tables['service']): boolean {
  if (service.stopped_at !== null || isGone(ledger, service, hostname())) return false;
  // In a file, times of another boot can't be compared, but `isGone` has covered those.
  return ledger.clock.monotonicMs() - service.seen_mono_ms < SILENCE_MS;
}
