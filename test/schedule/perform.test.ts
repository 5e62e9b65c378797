import { expect, it } from 'vitest';
import { scheduleSchema } from '../../src/config/schema/schedule-schema.js';
import type { ChildResult } from '../../src/schedule/child-program.js';
import { performer } from '../../src/schedule/perform.js';
import type { ServiceEvent } from '../../src/schedule/service-event.js';
import { actionContext } from '../support/action-context.js';
import { testLedger } from '../support/staged-ledger.js';

const KILLED: ChildResult = { code: null, signal: 'SIGKILL', document: null, said: '' };
const TERMINATED: ChildResult = { code: 143, signal: null, document: null, said: 'Stopping' };

/** Carries out a line that checks the ledger, by a command that ends so. */
async function performed(ended: ChildResult, stop: AbortController, isStopped: boolean) {
  const events: ServiceEvent[] = [];
  const doing = {
    watched: <T>(_: string, work: () => Promise<T>) => work(),
    takeIn: () => Promise.reject(new Error('the line takes nothing in')),
    command: async () => {
      if (isStopped) stop.abort();
      return ended;
    },
  };
  const perform = performer(actionContext(testLedger()), doing, stop.signal, (event) => events.push(event));
  const entry = scheduleSchema.parse({ cron: '0 2 * * *', do: ['check'] });
  const result = await perform(entry, { atMs: 0, sinceMs: 0, missed: 0 }, new AbortController().signal);
  return { result, events };
}

it.each([KILLED, TERMINATED])(
  'a command that a signal ends while the service goes on has failed, and that is told (%o)',
  async (ended) => {
    const { result, events } = await performed(ended, new AbortController(), false);
    expect(result).toBe('failed');
    expect(events).toMatchObject([{ kind: 'failed', error: { subject: 'doctor' } }]);
  },
);

it.each([KILLED, TERMINATED])(
  'a command that ends with the service is left to the next one (%o)',
  async (ended) => {
    const { result, events } = await performed(ended, new AbortController(), true);
    expect(result).toBe('interrupted');
    expect(events).toEqual([]);
  },
);
