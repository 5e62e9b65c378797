import { describe, expect, it } from 'vitest';
import { collected } from '../../../src/domain/process/series.js';
import { recordAnswer } from '../../../src/ledger/attempts/answers.js';
import { closeDecision, recordDecision } from '../../../src/ledger/decisions/decision-log.js';
import { cellsAt, keptRows } from '../../../src/ledger/drops/rows/kept-rows.js';
import { forgetSubmissions } from '../../../src/ledger/erasure/forgetting.js';
import {
  clearIdentifiers,
  identifiersOfForget,
  personOf,
  storeIdentifiers,
} from '../../../src/ledger/erasure/person.js';
import type { Ledger } from '../../../src/ledger/store/query.js';
import { keyMaker } from '../../../src/operations/keys.js';
import { writeDirectly } from '../../support/damage.js';
import { decider } from '../../support/decider.js';
import { traceOf } from '../../support/ledger-trace.js';
import {
  ACCEPTED,
  answerOf,
  claimNext,
  mustLease,
  SILENCE,
  stage,
  submission,
  TEST_POLICY,
  testLedger,
} from '../../support/staged-ledger.js';

const PURGE = { kind: 'purge', who: decider('test'), because: null, selection: { before: 'x' } } as const;

describe('cells that are kept', () => {
  const ERASURE = /by an erasure only/;
  const write = (ledger: Ledger, cells: string | null) =>
    writeDirectly(ledger, `update row set cells = ${cells === null ? 'null' : `'${cells}'`} where line = 2`);
  const keptCells = async () => {
    const ledger = testLedger();
    await stage(ledger, [{ user: 'a@x.org' }, { user: 'b@x.org' }]);
    const cells = (await cellsAt(ledger, { dropId: 1, line: 2 })).cells ?? [];
    return { ledger, cells };
  };

  it('are cleared only while a decision to erase is open', async () => {
    const { ledger } = await keptCells();
    expect(() => write(ledger, null)).toThrow(ERASURE);
    const decision = await recordDecision(ledger, PURGE);
    write(ledger, null);
    expect((await collected(keptRows(ledger, 1))).map(({ line }) => line)).toEqual([3]);
    await closeDecision(ledger, decision);
    expect(() => writeDirectly(ledger, 'update row set cells = null where line = 3')).toThrow(ERASURE);
  });

  it('are cleared one by one or all, never rewritten, and never come back', async () => {
    const { ledger, cells } = await keptCells();
    await recordDecision(ledger, PURGE);
    const others = [
      cells.with(0, 'b@x.org'),
      [...cells, null],
      cells.slice(1),
      [null, ...cells.slice(0, -1)],
    ];
    for (const other of others) expect(() => write(ledger, JSON.stringify(other))).toThrow(ERASURE);
    write(ledger, JSON.stringify(cells.with(0, null)));
    expect((await cellsAt(ledger, { dropId: 1, line: 2 })).cells).toEqual(cells.with(0, null));
    expect(() => write(ledger, JSON.stringify(cells))).toThrow(ERASURE);
    write(ledger, null);
    expect(() => write(ledger, JSON.stringify(cells))).toThrow(ERASURE);
    expect(() => writeDirectly(ledger, "update row set stray_quotes = '[0]'")).toThrow(ERASURE);
  });
});

describe('the identifiers of a person who is being forgotten', () => {
  const FORGET = { ...PURGE, kind: 'forget' } as const;

  it('are kept only with an open decision to forget, and it closes only once they are gone', async () => {
    const ledger = testLedger();
    const purge = await recordDecision(ledger, PURGE);
    await expect(async () => storeIdentifiers(ledger, purge, ['a@x.org'])).rejects.toThrow(
      /while a forget is carried out/,
    );
    const decision = await recordDecision(ledger, FORGET);
    await storeIdentifiers(ledger, decision, ['a@x.org', '4711']);
    await storeIdentifiers(ledger, decision, ['a@x.org']);
    expect(await identifiersOfForget(ledger, decision)).toEqual(['4711', 'a@x.org']);
    await expect(async () => closeDecision(ledger, decision)).rejects.toThrow(
      /identifiers that it looked for/,
    );
    await clearIdentifiers(ledger, decision);
    await closeDecision(ledger, decision);
    await expect(async () => storeIdentifiers(ledger, decision, ['a@x.org'])).rejects.toThrow(
      /while a forget is carried out/,
    );
  });

  it('are cleared, never rewritten', async () => {
    const ledger = testLedger();
    await storeIdentifiers(ledger, await recordDecision(ledger, FORGET), ['a@x.org']);
    expect(() => writeDirectly(ledger, "update forget_identifier set identifier = 'b@x.org'")).toThrow(
      /never rewritten/,
    );
  });
});

it('an answer that comes after its record was erased counts, and its words are not kept', async () => {
  const ledger = testLedger();
  const { runId } = await stage(ledger, [{ user: 'a@x.org' }]);
  const lease = await mustLease(ledger, 'push:main');
  const claimed = await claimNext(ledger, lease, runId);
  const attempt = claimed?.attemptId ?? 0;
  await recordAnswer(ledger, attempt, answerOf(SILENCE), { ...TEST_POLICY, onUnknown: 'hold' }, runId);
  const hashes = [keyMaker(ledger.salt).learner('Email', 'a@x.org')];
  const submissions = (await personOf(ledger, { hashes, identifiers: [] })).submissions;
  const decision = await recordDecision(ledger, { ...PURGE, kind: 'forget' });
  expect(
    await forgetSubmissions(
      ledger,
      decision,
      submissions.map(({ submissionId }) => submissionId),
    ),
  ).toMatchObject({ dismissed: 1, records: 1 });

  const answer = answerOf(ACCEPTED);
  const response = answer.response && { ...answer.response, body: 'a@x.org is written' };
  await recordAnswer(ledger, attempt, { ...answer, response }, TEST_POLICY, runId);
  expect(await submission(ledger, 1)).toMatchObject({ state: 'accepted', record: null });
  const { lives } = await traceOf(ledger, '#1');
  expect(lives[0]?.attempts.flatMap(({ answers }) => answers)).toHaveLength(2);
  expect(JSON.stringify(lives[0]?.attempts)).not.toContain('a@x.org');
});
