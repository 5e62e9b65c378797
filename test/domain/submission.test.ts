import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ACCEPTED_AS, CAUSES, HELD_CAUSES, NEXT_DELIVERIES } from '../../src/domain/cause.js';
import { ISSUE_CODES } from '../../src/domain/issue.js';
import { STATES, settle, TRANSITIONS } from '../../src/domain/submission.js';
import { fileOf } from '../../src/ledger/store/query.js';
import { stage, testLedger } from '../support/staged-ledger.js';

describe('settle', () => {
  it('knows each pair of state and event once', () => {
    const pairs = TRANSITIONS.map(({ from, event }) => `${from} ${event}`);
    expect(new Set(pairs).size).toBe(pairs.length);
  });

  it('refuses what the table does not have', () => {
    expect(settle('accepted', 'rerun')).toBeNull();
    expect(settle('sending', 'dismissed')).toBeNull();
    expect(settle('accepted', 'replaced')).toBeNull();
  });

  it('lets a late answer that says accepted win in every state', () => {
    for (const state of STATES.filter((name) => name !== 'accepted')) {
      expect(settle(state, 'accepted')).toBe('accepted');
    }
  });
});

describe('the table, the ledger and the reference', () => {
  const table = TRANSITIONS.map(({ from, event, to }) => `${from} ${event} ${to}`).sort();

  it("the ledger's rules are the table", () => {
    const ledger = testLedger();
    const rules = fileOf(ledger).sqlite.prepare(
      "select from_state || ' ' || event || ' ' || to_state from state_rule",
    );
    expect((rules.pluck().all() as string[]).sort()).toEqual(table);
  });

  it.each<[string, string, readonly string[]]>([
    ['submission', 'state', STATES],
    ['submission', 'cause', CAUSES],
    ['submission', 'next_delivery', NEXT_DELIVERIES],
    ['submission', 'accepted_as', ACCEPTED_AS],
    ['transition', 'cause', CAUSES],
    ['issue', 'code', Object.keys(ISSUE_CODES)],
  ])("the ledger's CHECK of %s.%s is the list of the code", (table, column, values) => {
    const sql = testLedger()
      .file.sqlite.prepare('select sql from sqlite_schema where name = ?')
      .pluck()
      .get(table);
    const check = new RegExp(`^  ${column} text (?:not null )?check \\(([^;]*?)\\),$`, 'm').exec(String(sql));
    const listed = [...(check?.[1] ?? '').matchAll(new RegExp(`\\b${column} = '([^']+)'`, 'g'))];
    expect(listed.map(([, value]) => value).sort()).toEqual([...values].sort());
  });

  it('the CHECK of held submissions lists the causes of a hold', () => {
    const { sqlite } = fileOf(testLedger());
    const sql = String(
      sqlite.prepare("select sql from sqlite_schema where name = 'submission'").pluck().get(),
    );
    const check = /check \(state <> 'held'([^)]*)\)/.exec(sql)?.[1] ?? '';
    const listed = [...check.matchAll(/cause = '([^']+)'/g)].map(([, cause]) => cause);
    expect(listed.sort()).toEqual([...HELD_CAUSES].sort());
  });

  it.each(['held', 'rejected', 'failed', 'in-doubt'])('what is %s has a cause', async (state) => {
    const ledger = testLedger();
    await stage(ledger, [{}]);
    fileOf(ledger).sqlite.exec('drop trigger submission_state');
    expect(() => fileOf(ledger).sqlite.prepare('update submission set state = ?').run(state)).toThrow(
      /CHECK/,
    );
  });

  it("no cause is called like an issue, so that a report's code means one thing", () => {
    expect(CAUSES.filter((cause) => cause in ISSUE_CODES)).toEqual([]);
  });

  it("the reference's diagram draws the same arrows", () => {
    const reference = readFileSync(new URL('../../docs/reference.md', import.meta.url), 'utf8');
    const diagram = /```mermaid\nstateDiagram-v2\n([\s\S]*?)```/.exec(reference)?.[1] ?? '';
    const arrows = [...diagram.matchAll(/^\s*(\S+) --> (\S+): (.+)$/gm)].flatMap(([, from, to, events]) =>
      (events ?? '').split(',').map((event) => `${name(from)} ${event.trim()} ${name(to)}`),
    );
    expect(arrows.sort()).toEqual(table);
  });
});

/** Mermaid's names have no dashes, and its start is the staged row. */
function name(word: string | undefined): string {
  return word === '[*]' ? 'staged' : (word ?? '').replace('in_doubt', 'in-doubt');
}
