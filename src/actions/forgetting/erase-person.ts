import { clearIdentifiers } from '../../ledger/forget-identifiers.js';
import { forgetCorrections, forgetRow, forgetSubmissions, forgetTexts } from '../../ledger/forgetting.js';
import { endHolds } from '../../ledger/learner-rows.js';
import { pagesOf } from '../../ledger/pages.js';
import { type Ledger, writing } from '../../ledger/query.js';
import { eraseCells, type NamingRows } from './kept-cells.js';
import type { Person } from './person.js';

/** What was erased, or closed; numbers of rows. */
export interface Erased extends NamingRows {
  readonly dismissed: number;
  readonly records: number;
  readonly answers: number;
  readonly issues: number;
  readonly refusals: number;
  readonly corrections: number;
}

/** A person who is being erased. */
export interface Erasure {
  /** One transaction for each step. */
  readonly pages: Iterable<unknown>;
  /** What they have erased so far. */
  readonly erased: Erased;
}

/**
 * Erases a person from rows, records, answers and all other texts, and at last by what the person was looked for. What would
 * still be sent is dismissed.
 */
export function erasePerson(ledger: Ledger, person: Person, decisionId: number): Erasure {
  const { hashes, mentions, lines, submissions } = person;
  const sum = {
    rows: 0,
    mentions: 0,
    dismissed: 0,
    records: 0,
    answers: 0,
    issues: 0,
    refusals: 0,
    corrections: 0,
  };
  const add = (more: Partial<Erased>) => {
    for (const key of Object.keys(sum) as (keyof Erased)[]) sum[key] += more[key] ?? 0;
  };
  const pages = function* () {
    yield* eraseCells(ledger, person, decisionId, ({ rows, mentions }) => add({ rows, mentions }));
    for (const page of pagesOf(submissions)) {
      add(writing(ledger, () => forgetSubmissions(ledger, decisionId, page)));
      yield;
    }
    const ofPerson = [...lines].flatMap(([dropId, own]) => [...own].map((line) => ({ dropId, line })));
    for (const page of pagesOf(ofPerson)) {
      writing(ledger, () => {
        for (const { dropId, line } of page) add({ issues: forgetRow(ledger, decisionId, dropId, line) });
      });
      yield;
    }
    for (const needle of mentions.distinctive) {
      add(writing(ledger, () => forgetTexts(ledger, needle, mentions.inText)));
      yield;
    }
    writing(ledger, () => {
      for (const hash of hashes) endHolds(ledger, hash);
      add({ corrections: forgetCorrections(ledger, hashes) });
    });
    yield;
    // Last: until then another process may have to look for the person.
    writing(ledger, () => clearIdentifiers(ledger, decisionId));
    yield;
  };
  return { pages: pages(), erased: sum };
}
