import { expect, it } from 'vitest';
import { countOn, NOTHING_COUNTED } from '../../../src/ledger/books/count-on.js';
import { readMetrics } from '../../../src/ledger/books/read-metrics.js';
import { waitingDelivery } from '../../../src/ledger/submissions/waiting/waiting-requests.js';
import { ACCEPTED, deliverNext, mustLease, stage, testLedger } from '../../support/staged-ledger.js';

/** Tables whose rows grow with every row of a file or every request; read as a whole they take seconds. */
const LARGE = ['submission', 'row', 'row_block', 'drop_file', 'issue', 'transition', 'attempt', 'response'];

it.each([
  ['nothing is being staged', true],
  ['a drop is being staged', false],
])('no question that metrics ask goes through a large table, while %s', async (_, publish) => {
  const ledger = testLedger();
  const { runId } = await stage(ledger, [{}, { user: 'other@x.example' }]);
  await deliverNext(ledger, await mustLease(ledger, 'push:main'), runId, ACCEPTED);
  if (!publish) await stage(ledger, [{ user: 'third@x.example' }], { publish });
  ledger.statements.clear();
  await readMetrics(ledger, [{ name: 'main', clientId: 'x' }]);
  await countOn(ledger, NOTHING_COUNTED);
  await waitingDelivery(ledger, 'main', 'x');
  const asked = [...ledger.statements.keys()].filter((text) => text.startsWith('select'));
  expect(asked.length).toBeGreaterThan(10);
  const scans = asked.flatMap((text) => {
    const steps = ledger.sqlite.prepare(`explain query plan ${text}`).all(...placeholders(text)) as {
      detail: string;
    }[];
    return steps.map(({ detail }) => detail).filter((detail) => isWholeTable(detail, text));
  });
  expect(scans).toEqual([]);
});

/** A value for each parameter, which a plan doesn't depend on. */
function placeholders(text: string): number[] {
  return [...text.matchAll(/\?/g)].map(() => 1);
}

/** A scan names the alias of its table; an index that has all the columns is no scan of the table. */
function isWholeTable(detail: string, text: string): boolean {
  const [, alias] = /^SCAN (\w+)(?! USING (?:COVERING )?INDEX)/.exec(detail) ?? [];
  if (alias === undefined) return false;
  return LARGE.some(
    (table) => alias === table || new RegExp(`"?\\b${table}"?(?: as)? "?${alias}"?\\b`).test(text),
  );
}
