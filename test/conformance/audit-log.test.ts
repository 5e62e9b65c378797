import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type AuditEntry, readAuditLog, recordEvent, uploadsOf } from '../../src/ledger/access/audit-log.js';
import { closeSession, openSession } from '../../src/ledger/access/sessions.js';
import { recordToken, withdrawToken } from '../../src/ledger/access/tokens.js';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { closeDecision } from '../../src/ledger/decisions/decision-log.js';
import { recordInbox } from '../../src/ledger/drops/record-inbox.js';
import { forgetPerson } from '../../src/ledger/erasure/forget-person.js';
import { openDecision } from '../../src/ledger/erasure/open-decision.js';
import { purgeContent } from '../../src/ledger/erasure/purge-content.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { decider } from '../support/decider.js';
import { runToCompletion } from '../support/run-to-completion.js';
import { ENGINES } from './engines.js';
import { learner } from './learner.js';
import { fileOf, publishedDrop } from './staged-drop.js';

const ALL = { kind: null, who: null, since: null, until: null, after: null, limit: 100 };
const MINUTE_MS = 60_000;
const anna = { name: 'anna', door: 'console' } as const;

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

/** A minute apart: a file, a sign-in and its end, a refused one, a decision, and a token that comes and goes. */
async function used(ledger: Ledger, clock: { pass(ms: number): Promise<void> }) {
  const drop = await fileOf(ledger, 'kim.csv');
  const { sha256 } = drop.identity;
  const dropId = await publishedDrop(ledger, drop, [{}]);
  const person = { name: 'ben', role: 'operator' } as const;
  for (const step of [
    () => recordEvent(ledger, 'upload', anna, { source: 'academy', sha256, file_name: 'kim.csv' }),
    () => openSession(ledger, hash('s'), { person, how: 'oidc', stamp: null, idleMs: 1e9, longestMs: 1e9 }),
    () => closeSession(ledger, hash('s')),
    () => recordEvent(ledger, 'sign-in-refused', { name: 'cy', door: 'console' }),
    () =>
      openDecision(ledger, {
        kind: 'restage',
        who: decider('dora'),
        because: 'new words',
        selection: { drop: dropId },
      }),
    () => recordToken(ledger, hash('t'), { name: 'billing', role: 'operator' }, decider('eve'), null),
    () => withdrawToken(ledger, 'billing', decider('eve')),
  ]) {
    await clock.pass(MINUTE_MS);
    await step();
  }
  return { dropId, sha256 };
}

const shown = ({ kind, who, name, dropId, decisionId, because }: AuditEntry) =>
  [kind, who, name, dropId, decisionId, because].filter((value) => value !== null);

describe.each(ENGINES)('on $name', ({ open }) => {
  it('a change of settings is recorded with its lines, and not at all where it fails', async () => {
    const { ledger } = await open();
    let changes = 0;
    await recordEvent(ledger, 'settings', decider('dora'), { about: '+ timeZone: UTC' }, async () => {
      changes += 1;
    });
    const failing = recordEvent(ledger, 'settings', decider('eve'), { about: '+ x' }, () =>
      Promise.reject(new Error('the disk is full')),
    );
    await expect(failing).rejects.toThrow('the disk is full');
    const { rows } = await readAuditLog(ledger, ALL);
    expect([changes, rows.map(shown)]).toEqual([1, [['settings', 'dora', '+ timeZone: UTC']]]);
  });

  it('the log has uploads, sign-ins, decisions and tokens, the latest first', async () => {
    const { ledger, clock } = await open();
    const { dropId } = await used(ledger, clock);
    const { rows, total, next } = await readAuditLog(ledger, ALL);
    expect(rows.map(shown)).toEqual([
      ['token-revoke', 'eve', 'billing'],
      ['token-add', 'eve', 'billing'],
      ['restage', 'dora', 1, 'new words'],
      ['sign-in-refused', 'cy'],
      ['sign-out', 'ben'],
      ['sign-in', 'ben'],
      ['upload', 'anna', 'kim.csv', dropId],
    ]);
    expect([total, next]).toEqual([7, null]);
  });

  it('the latest note about a cause is shown, and the log keeps all of them', async () => {
    const { ledger, clock } = await open();
    const annotate = async (who: string, subject: string, value: string, about: string) => {
      await recordEvent(ledger, 'assign', decider(who), { subject, value, about });
      await clock.pass(MINUTE_MS);
    };
    await annotate('dora', 'learner-unknown', 'ben', 'asked HR');
    await annotate('dora', 'bad-date', 'ben', '');
    await annotate('eve', 'learner-unknown', 'cy', 'ben is away');
    await annotate('eve', 'bad-date', '', '');
    await recordEvent(ledger, 'start-line', decider('dora'), { subject: 'run' });
    const { assignments } = await readState(ledger, ['assignments']);
    expect(assignments).toMatchObject([
      { subject: 'learner-unknown', value: 'cy', about: 'ben is away', who: 'eve' },
    ]);
    const { rows } = await readAuditLog(ledger, ALL);
    expect(rows.map(({ who, name, value, because }) => [who, name, value, because])).toEqual([
      ['dora', 'run', null, null],
      ['eve', 'bad-date', '', ''],
      ['eve', 'learner-unknown', 'cy', 'ben is away'],
      ['dora', 'bad-date', 'ben', ''],
      ['dora', 'learner-unknown', 'ben', 'asked HR'],
    ]);
  });

  it('a purge keeps the notes that still hold, and to forget a person ends what was said about them', async () => {
    const { ledger, clock } = await open();
    const note = async (kind: 'assign' | 'mute', subject: string, value: string) => {
      await recordEvent(ledger, kind, decider('dora'), { subject, value, about: '' });
      await clock.pass(MINUTE_MS);
    };
    const later = new Date(clock.nowMs() + 60 * MINUTE_MS).toISOString();
    await note('assign', 'learner-unknown', 'ben');
    await note('assign', 'learner-unknown', 'cy');
    await note('assign', 'bad-date', 'ben');
    await note('assign', 'bad-date', '');
    await note('mute', 'cause academy bad-date', later);
    await note('mute', 'inbox academy', new Date(clock.nowMs()).toISOString());
    await recordEvent(ledger, 'start-line', decider('dora'), { subject: 'run' });
    const kept = async () => {
      const { rows } = await readAuditLog(ledger, ALL);
      const events = rows.filter(({ decisionId }) => decisionId === null);
      return events.map(({ kind, name, value }) => [kind, name, value]);
    };
    await clock.pass(MINUTE_MS);
    const facts = { who: decider('dora'), because: 'old' };
    const before = new Date(clock.nowMs()).toISOString();
    const purge = await openDecision(ledger, { ...facts, kind: 'purge', selection: { before } });
    await runToCompletion(purgeContent(ledger, purge));
    await closeDecision(ledger, purge.decisionId);
    expect(await kept()).toEqual([
      ['mute', 'cause academy bad-date', later],
      ['assign', 'learner-unknown', 'cy'],
    ]);

    const grace = 'grace@x.example';
    await publishedDrop(ledger, 'a.csv', [{ user: grace }]);
    await note('assign', 'learner-unknown', grace);
    await note('assign', 'bad-date', 'cy');
    const learners = [learner(ledger, grace)];
    const forgetting = await openDecision(ledger, { ...facts, kind: 'forget', learners, reports: false });
    await runToCompletion(forgetPerson(ledger, forgetting));
    expect(await kept()).toEqual([
      ['assign', 'bad-date', 'cy'],
      ['mute', 'cause academy bad-date', later],
    ]);
    const signIns = async () => (await readState(ledger, ['signIns'])).signIns;
    expect(await signIns()).toEqual(new Map());
    const at = new Date(clock.nowMs()).toISOString();
    await recordEvent(ledger, 'sign-in', { name: 'ben', door: 'console' });
    expect(await signIns()).toEqual(new Map([['ben', at]]));
  });

  it('its pages follow each other, also within one moment, and a filter narrows them', async () => {
    const { ledger, clock } = await open();
    await used(ledger, clock);
    for (const name of ['one', 'two', 'three'])
      await recordEvent(ledger, 'sign-in', { name, door: 'console' });
    const { rows } = await readAuditLog(ledger, ALL);
    const paged: AuditEntry[] = [];
    for (let after: string | null = null; ; ) {
      const page: Awaited<ReturnType<typeof readAuditLog>> = await readAuditLog(ledger, {
        ...ALL,
        after,
        limit: 2,
      });
      paged.push(...page.rows);
      if (page.next === null) break;
      after = page.next;
    }
    expect(paged).toEqual(rows);
    expect(paged).toHaveLength(10);
    const found = async (filter: Partial<typeof ALL> | object) => {
      const page = await readAuditLog(ledger, { ...ALL, ...filter });
      if (!('after' in filter)) expect(page.total).toBe(page.rows.length);
      return page.rows.map(({ kind }) => kind);
    };
    expect(await found({ kind: 'upload' })).toEqual(['upload']);
    expect(await found({ who: 'eve' })).toEqual(['token-revoke', 'token-add']);
    const restaged = rows.find(({ kind }) => kind === 'restage')?.at ?? '';
    expect(
      await found({ since: restaged, until: rows.find(({ kind }) => kind === 'token-add')?.at }),
    ).toEqual(['restage']);
    expect(await found({ after: 'no place' })).toEqual([]);
  });

  it('who uploaded a file is known by its bytes, also where they were in a container', async () => {
    const { ledger, clock } = await open();
    const { sha256 } = await used(ledger, clock);
    const of = async (file: { source: string; sha256: string }) =>
      (await uploadsOf(ledger, file)).map(({ name, door }) => [name, door]);
    expect(await of({ source: 'academy', sha256 })).toEqual([['anna', 'console']]);
    expect(await of({ source: 'other', sha256 })).toEqual([]);
    const zip = { sha256: hash('zip'), bytes: 9 };
    await recordEvent(ledger, 'upload', decider('ben'), {
      source: 'academy',
      sha256: zip.sha256,
      file_name: 'kim.zip',
    });
    await recordInbox(ledger, 'academy', { kind: 'unpacked', container: zip, files: [sha256] });
    expect(await of({ source: 'academy', sha256 })).toEqual([
      ['ben', 'command-line'],
      ['anna', 'console'],
    ]);
  });
});
