import { describe, expect, it } from 'vitest';
import { collected } from '../../../src/domain/process/series.js';
import { equationsIn } from '../../../src/ledger/books/balance/imbalances.js';
import { attemptsIn } from '../../../src/ledger/books/requests.js';
import { causesIn } from '../../../src/ledger/books/rows/attention.js';
import { rowsAt } from '../../../src/ledger/books/rows/browsed-rows.js';
import { acceptedRows } from '../../../src/ledger/books/rows/listed-rows.js';
import { countUnknownLearners } from '../../../src/ledger/books/unknown-learners.js';
import { corrections } from '../../../src/ledger/decisions/known-learners.js';
import { lastMapping } from '../../../src/ledger/drops/source-facts.js';
import { fileOf, type Ledger } from '../../../src/ledger/store/query.js';
import { executorOn } from '../../../src/ledger/store/sqlite/executor.js';
import { findDue } from '../../../src/ledger/submissions/claims.js';
import { submissionsWhere } from '../../../src/ledger/submissions/select/locate-rows.js';
import { isOneOf } from '../../../src/ledger/submissions/subjects.js';
import { rowsLeadingTo } from '../../../src/ledger/trace/read-trace.js';
import { tracedLife } from '../../../src/ledger/trace/submission-life.js';
import { select } from '../../support/select.js';
import { deliverNext, mustLease, REJECTED, stage, testLedger } from '../../support/staged-ledger.js';

/** SQLite's opcodes or query plans for the statements run so far that begin like this. */
function explained(ledger: Ledger, how: 'explain' | 'explain query plan', beginning: RegExp) {
  const texts = [...fileOf(ledger).statements.keys()].filter((text) => beginning.test(text));
  expect(texts).not.toHaveLength(0);
  return texts.map((text) => {
    const nothing = new Array((text.match(/\?/g) ?? []).length).fill(null);
    const steps = fileOf(ledger)
      .sqlite.prepare(`${how} ${text}`)
      .all(...nothing) as Record<string, unknown>[];
    return steps.map((step) => step.opcode ?? step.detail).join('; ');
  });
}

describe('a statement that staging runs a million times', () => {
  it('builds no table of its own to insert learners, submissions or rows, and sorts nothing', async () => {
    const ledger = testLedger();
    await stage(ledger, [{}]);
    const inserts = explained(ledger, 'explain', /^insert into (learner|submission|row) /);
    expect(inserts.length).toBeGreaterThanOrEqual(3);
    for (const steps of inserts) {
      expect(steps).toContain('IdxInsert');
      expect(steps).not.toMatch(/OpenEphemeral|SorterOpen/);
    }
  });
});

describe('a query that must not scan a drop of a million rows', () => {
  it.each([
    ['repeats', /^select coalesce\(sum\(s\.repeats/, 'submission_rare'],
    ['revisions', /^select "older"/, 'submission_rare'],
    ['requests by environment', /^select "environment", sum\(attempts\)/, 'COVERING INDEX attempt_run'],
    ['requests that break the books', /from "books_attempt"/, 'MERGE (EXCEPT)'],
  ])('%s: an index finds it', async (_, beginning, index) => {
    const ledger = testLedger();
    await stage(ledger, [{}]);
    await causesIn(ledger, {});
    await attemptsIn(ledger, {});
    await equationsIn(ledger, {});
    for (const plan of explained(ledger, 'explain query plan', beginning)) expect(plan).toContain(index);
  });

  it('answers to a row: all other answers are left alone', async () => {
    const ledger = testLedger();
    const { dropId } = await stage(ledger, [{}]);
    const texts: string[] = [];
    const prepare = (text: string) => {
      texts.push(text);
      return fileOf(ledger).sqlite.prepare(text);
    };
    const sqlite = Object.assign(Object.create(fileOf(ledger).sqlite), { prepare }) as never;
    const file = { ...fileOf(ledger), sqlite, path: ':memory:' };
    const watched = { ...ledger, db: executorOn({ sqlite, statements: new Map() }, ledger.clock), file };
    await collected(acceptedRows(watched, dropId));
    await rowsAt(watched, [{ dropId, line: 2, submissionId: 1, state: 'waiting' }]);
    const queries = texts.filter((text) => text.includes('response'));
    expect(queries).toHaveLength(2);
    for (const text of queries) {
      const nothing = new Array((text.match(/\?/g) ?? []).length).fill(null);
      const steps = fileOf(ledger)
        .sqlite.prepare(`explain query plan ${text}`)
        .all(...nothing) as {
        detail: string;
      }[];
      const ofAnswers = steps
        .map(({ detail }) => detail)
        .filter((detail) => /^(SCAN|SEARCH) p2?\b/.test(detail));
      expect(ofAnswers).not.toHaveLength(0);
      for (const step of ofAnswers) expect(step).toMatch(/^SEARCH .*(response_first|response_late|rowid=\?)/);
    }
  });
});

it('how the last drop of a source was read is found without going through the others', async () => {
  const ledger = testLedger();
  await lastMapping(ledger, 'academy', 'submit-completion');
  for (const plan of explained(ledger, 'explain query plan', /^select "file_name" as "file", "header"/)) {
    expect(plan).toContain('drop_file_published');
    expect(plan).not.toContain('TEMP B-TREE');
  }
});

it('the corrected learners are found without going through all learners', async () => {
  const ledger = testLedger();
  await corrections(ledger);
  for (const plan of explained(ledger, 'explain query plan', /^select "o"."hash" as "oldHash"/)) {
    expect(plan).not.toMatch(/SCAN [on]\b/);
    expect(plan).not.toContain('TEMP B-TREE');
  }
});

it('due rows are found by a covering index while a large drop is staged', async () => {
  const ledger = testLedger();
  const { runId } = await stage(ledger, [{}], { publish: false });
  await findDue(ledger, { environment: 'main', runId });
  for (const plan of explained(ledger, 'explain query plan', /^select "submission_id" as "id".*order by/s)) {
    expect(plan).toContain('submission_waiting (environment_id=? AND priority=? AND (drop_id,line)>(?,?))');
    expect(plan).not.toContain('TEMP B-TREE');
  }
});

it('a statement has the values its plan depends on in its text: bound values make SQLite compile it again each time', async () => {
  const ledger = testLedger();
  const { runId } = await stage(ledger, [{}]);
  await deliverNext(ledger, await mustLease(ledger, 'push:main'), runId, REJECTED, 400);
  await tracedLife(ledger, 1);
  await select(ledger, { states: ['rejected', 'invalid'] });
  await causesIn(ledger, {});
  const texts = [...fileOf(ledger).statements.keys()];
  expect(texts.filter((text) => /where .*"state" = 'published'/s.test(text))).not.toHaveLength(0);
  expect(texts.filter((text) => /limit \d/.test(text))).not.toHaveLength(0);
  const planned = texts.filter((text) => !text.startsWith('update "counter"'));
  expect(
    planned.filter((text) => /where .*\b"?(state|disposition|late)"? = \?|limit \?$/s.test(text)),
  ).toEqual([]);
});

describe('a query about one row or one learner', () => {
  it.each([
    ['what it took the place of', /where "successor_id" = /, ['submission_successor']],
    ['rows that repeat it', /^\s*select r.drop_id as "dropId"/, ['row_duplicate']],
    ['its requests', /^select "a"."attempt_id" as "attempt"/, ['attempt_submission_submission']],
    ['their answers', /from "response" as "p"/, ['response_first', 'response_late']],
    ['submissions of a learner', /as "id".*"s"."learner_id" in/s, ['(learner_id=?)']],
    ['learners whom the platform does not know', /count\(distinct o.learner_id\)/, ['open_item_cause']],
  ])('%s: an index finds it', async (_, beginning, indexes) => {
    const ledger = testLedger();
    const { runId } = await stage(ledger, [{}]);
    await deliverNext(ledger, await mustLease(ledger, 'push:main'), runId, REJECTED, 400);
    await tracedLife(ledger, 1);
    await rowsLeadingTo(ledger, 1);
    const learner = '0'.repeat(16);
    await submissionsWhere(ledger, isOneOf('s.learner_id', [learner]));
    await select(ledger, { states: ['rejected', 'held'], learners: [learner] });
    await countUnknownLearners(ledger, {});
    const plans = explained(ledger, 'explain query plan', beginning);
    for (const plan of plans) expect(indexes.some((index) => plan.includes(index))).toBe(true);
    for (const index of indexes) expect(plans.some((plan) => plan.includes(index))).toBe(true);
    for (const plan of plans) expect(plan).not.toMatch(/SCAN (s|submission|a|p|x)\b/);
  });
});
