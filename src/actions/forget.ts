import { readdir, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { SourceConfig } from '../config/schema.js';
import { agreeing, countOf } from '../domain/count-of.js';
import type { Decider } from '../domain/decider.js';
import { OperatorError } from '../domain/operator-error.js';
import type { Row } from '../domain/row.js';
import type { State } from '../domain/submission.js';
import { compactLedger, emptyLog, overwriteDeleted } from '../ledger/compact.js';
import { corrections, type Identified } from '../ledger/corrections.js';
import { closeDecision } from '../ledger/decision-log.js';
import { stagingDrop } from '../ledger/drops.js';
import { type KeptBlock, keepRows, keptBlocksAfter } from '../ledger/erase-cells.js';
import { beginErasure } from '../ledger/erasures.js';
import {
  connectedLearners,
  forgetCorrections,
  forgetRow,
  forgetSubmissions,
  forgetTexts,
  isRecord,
  learnerColumns,
  type PersonRow,
  repeatsOf,
  rowsOfLearner,
} from '../ledger/forgetting.js';
import { endHolds } from '../ledger/learner-rows.js';
import { isLease, type LeaseName, takeLease, underLease } from '../ledger/leases.js';
import { type Owner, thisProcess } from '../ledger/owner.js';
import { type Ledger, writing } from '../ledger/query.js';
import { rowsOfBlock } from '../ledger/row-blocks.js';
import { suppressLearners } from '../ledger/suppressions.js';
import { type Mentions, mentionsOf } from '../upkeep/mentions.js';
import { type Proof, proveForgotten } from '../upkeep/prove-forgotten.js';
import { filesNaming, type NamingFile } from '../upkeep/search-files.js';
import { syncFolder } from '../workspace/durable.js';
import type { WorkspacePaths } from '../workspace/folders.js';
import { ioError } from '../workspace/io-error.js';

/** What there is of a person. Nothing of it is personal. */
export interface PersonFound {
  /** Submissions about the person by state; a state that none is in is left out. */
  readonly states: Readonly<Partial<Record<State, number>>>;
  /** Rows whose cells are kept and go as a whole. */
  readonly rows: number;
  /** Rows about somebody else, or nobody, that name the person in another column: that cell goes. */
  readonly mentions: number;
  /** Files of the workspace that name the person. */
  readonly files: readonly NamingFile[];
}

/** What forgetting a person has done. */
export interface Forgotten {
  readonly found: PersonFound;
  readonly decisionId: number;
  /** Cleared or closed; numbers of rows. */
  readonly cleared: {
    readonly dismissed: number;
    readonly records: number;
    readonly answers: number;
    readonly issues: number;
    readonly refusals: number;
    readonly corrections: number;
  };
  /** Report files that were deleted. */
  readonly deleted: readonly string[];
  readonly proof: Proof;
}

/** Who is to be forgotten, and where. */
export interface ForgetContext {
  readonly ledger: Ledger;
  readonly paths: WorkspacePaths;
  readonly sources: readonly SourceConfig[];
  readonly environments: readonly string[];
  /** Whoever the identifier may name, by each type. */
  readonly learners: readonly Identified[];
}

/** The person, through all corrections. */
interface Person {
  readonly hashes: readonly string[];
  readonly mentions: Mentions;
  /** Lines of each drop whose rows are about the person. */
  readonly lines: ReadonlyMap<number, ReadonlySet<number>>;
  readonly submissions: readonly PersonRow[];
}

/** Submissions per transaction. */
const PAGE = 200;
/** Blocks looked through between two transactions. */
const BLOCKS_AT_ONCE = 20;

/** Works out what there is of the person; writes nothing. */
export async function findPerson(context: ForgetContext): Promise<PersonFound> {
  const { ledger } = context;
  const person = personOf(context);
  const counts = await eachBlock(ledger, person, () => {});
  return { ...counts, states: statesOf(person), files: await namingFiles(context, person.mentions) };
}

/**
 * Erases a person from the ledger for good, and looks whether anything is left. What would still be sent is dismissed,
 * the content of the person's rows goes, and a salted hash stays, by which later rows about the person are recognised and
 * not kept. May be killed and begun again at any moment. Nobody may stage or deliver meanwhile.
 * @param reports generated reports that name the person are deleted.
 */
export async function forgetPerson(
  context: ForgetContext,
  asked: { readonly who: Decider; readonly because: string; readonly reports: boolean },
): Promise<Forgotten> {
  const { ledger, environments } = context;
  const names: LeaseName[] = ['stage', ...environments.map((name): LeaseName => `push:${name}`)];
  return underAll(ledger, names, thisProcess(), async () => {
    refuseUnfinished(ledger);
    overwriteDeleted(ledger);
    const person = personOf(context);
    const underWay = person.submissions.filter(({ state }) => state === 'sending').length;
    if (underWay > 0)
      throw refusal(
        `${countOf(underWay, 'row')} about the person ${agreeing(underWay, 'is', 'are')} under way`,
        FINISH_FIRST,
      );
    const { hashes, mentions } = person;
    const facts = { kind: 'forget' as const, who: asked.who, because: asked.because };
    const decisionId = beginErasure(ledger, { ...facts, selection: { learners: hashes } }, (decision) =>
      suppressLearners(ledger, hashes, decision),
    );
    const found = { ...(await eraseRows(ledger, person, decisionId)), states: statesOf(person) };
    const cleared = await eraseTexts(ledger, person, decisionId);
    compactLedger(ledger);
    emptyLog(ledger);
    const proof = await proveForgotten(ledger, mentions, hashes, learnerColumns(ledger));
    closeDecision(ledger, decisionId);
    const files = await namingFiles(context, mentions);
    const deleted = asked.reports
      ? files.filter(({ path }) => path.startsWith(context.paths.reports + sep)).map(({ path }) => path)
      : [];
    await deleteReports(deleted);
    const left = files.filter(({ path }) => !deleted.includes(path));
    return { found: { ...found, files: left }, decisionId, cleared, deleted, proof };
  });
}

const FINISH_FIRST = 'Let registrar run go on with what an interrupted one has left, then forget again.';

function personOf({ ledger, learners }: ForgetContext): Person {
  const hashes = connectedLearners(
    ledger,
    learners.map(({ hash }) => hash),
  );
  const corrected = corrections(ledger).flatMap(({ old, now }) => [old, now]);
  const identifiers = [...learners, ...corrected].filter(({ hash }) => hashes.includes(hash));
  const submissions = hashes.flatMap((hash) => rowsOfLearner(ledger, hash));
  const lines = new Map<number, Set<number>>();
  const add = ({ dropId, line }: { dropId: number; line: number }) => {
    lines.set(dropId, (lines.get(dropId) ?? new Set()).add(line));
  };
  for (const submission of submissions) {
    add(submission);
    for (const row of repeatsOf(ledger, submission.submissionId)) add(row);
  }
  return { hashes, mentions: mentionsOf(identifiers.map(({ id }) => id)), lines, submissions };
}

function statesOf({ submissions }: Person): Partial<Record<State, number>> {
  const states: Partial<Record<State, number>> = {};
  for (const { state } of submissions) states[state] = (states[state] ?? 0) + 1;
  return states;
}

async function eraseRows(
  ledger: Ledger,
  person: Person,
  decisionId: number,
): Promise<{ rows: number; mentions: number }> {
  return eachBlock(ledger, person, (block, kept, erased) => {
    writing(ledger, () => {
      keepRows(ledger, block, kept);
      for (const line of erased) forgetRow(ledger, decisionId, block.dropId, line);
    });
  });
}

async function eraseTexts(ledger: Ledger, person: Person, decisionId: number): Promise<Forgotten['cleared']> {
  const { hashes, mentions, lines, submissions } = person;
  const sum = { dismissed: 0, records: 0, answers: 0, issues: 0, refusals: 0, corrections: 0 };
  for (let start = 0; start < submissions.length; start += PAGE) {
    const page = submissions.slice(start, start + PAGE);
    const done = writing(ledger, () => forgetSubmissions(ledger, decisionId, page));
    sum.dismissed += done.dismissed;
    sum.records += done.records;
    sum.answers += done.answers;
    await breathe();
  }
  writing(ledger, () => {
    for (const [dropId, own] of lines) {
      for (const line of own) sum.issues += forgetRow(ledger, decisionId, dropId, line);
    }
    for (const needle of mentions.distinctive) {
      const { issues, answers, refusals } = forgetTexts(ledger, needle, mentions.inText);
      sum.issues += issues;
      sum.answers += answers;
      sum.refusals += refusals;
    }
    for (const hash of hashes) endHolds(ledger, hash);
    // Last: where this is begun again, they say once more which identifiers are the person's.
    sum.corrections = forgetCorrections(ledger, hashes);
  });
  return sum;
}

/**
 * Goes through all kept rows and hands over each block that changes, with the rows it keeps and the lines that go as a
 * whole.
 */
async function eachBlock(
  ledger: Ledger,
  person: Person,
  visit: (block: KeptBlock, kept: readonly Row[], erased: readonly number[]) => void,
): Promise<{ rows: number; mentions: number }> {
  const columns = learnerColumns(ledger);
  const sum = { rows: 0, mentions: 0 };
  for (let after = { dropId: 0, firstLine: 0 }; ; ) {
    const blocks = keptBlocksAfter(ledger, after, BLOCKS_AT_ONCE);
    const last = blocks.at(-1);
    if (!last) return sum;
    for (const block of blocks) {
      const rows = rowsOfBlock(ledger, block);
      const left = rows.map((row) => withoutPerson(ledger, person, block.dropId, row, columns));
      const kept = left.filter((row) => row !== null);
      const erased = rows.filter((_, index) => left[index] === null).map(({ line }) => line);
      const masked = kept.filter((row) => !rows.includes(row)).length;
      if (erased.length + masked > 0) visit(block, kept, erased);
      sum.rows += erased.length;
      sum.mentions += masked;
    }
    after = last;
    await breathe();
  }
}

/**
 * The row as it may be kept; null: it is about the person. A row that is no record and names the person where its learner
 * should stand is about the person too, and so is one of which nobody knows where that is.
 */
function withoutPerson(
  ledger: Ledger,
  { mentions, lines }: Person,
  dropId: number,
  row: Row,
  columns: ReadonlyMap<number, number>,
): Row | null {
  if (lines.get(dropId)?.has(row.line)) return null;
  const column = columns.get(dropId);
  const isNaming = row.cells.map((cell, index) => mentions.inCell(cell, index === column));
  if (!isNaming.includes(true)) return row;
  const isTheirs = column === undefined || isNaming[column] === true;
  if (isTheirs && !isRecord(ledger, dropId, row.line)) return null;
  return { line: row.line, cells: row.cells.map((cell, index) => (isNaming[index] ? null : cell)) };
}

/** Runs `work` under all of the leases, taken one after the other. */
async function underAll<T>(
  ledger: Ledger,
  names: readonly LeaseName[],
  owner: Owner,
  work: () => Promise<T>,
): Promise<T> {
  const [name, ...others] = names;
  if (name === undefined) return work();
  const lease = takeLease(ledger, name, owner, null);
  if (!isLease(lease)) {
    const what = name === 'stage' ? 'staging' : `delivering to ${name.slice('push:'.length)}`;
    throw refusal(`process ${lease.pid} is ${what}`, 'Forget again when it has ended.');
  }
  return underLease(ledger, lease, () => underAll(ledger, others, owner, work));
}

function refuseUnfinished(ledger: Ledger): void {
  if (stagingDrop(ledger) !== null) throw refusal('a file is half staged', FINISH_FIRST);
}

/** Ledgers that a restore has put aside are named without a look: most of what they keep is packed. */
async function namingFiles({ paths, sources }: ForgetContext, mentions: Mentions): Promise<NamingFile[]> {
  const aside = (await readdir(paths.root)).filter((name) => SET_ASIDE.test(name));
  const inboxes = sources.map((source) => paths.inbox(source));
  const folders = [paths.archive, paths.rejected, paths.processing, paths.reports, ...inboxes];
  const ledgers = aside.map((name) => ({ path: join(paths.root, name), isSure: false }));
  return [...(await filesNaming(folders, mentions)), ...ledgers];
}

const SET_ASIDE = /^registrar-before-(restore|new)-/;

async function deleteReports(files: readonly string[]): Promise<void> {
  for (const path of files) {
    try {
      await rm(path, { force: true });
    } catch (error) {
      throw ioError('delete a report', path, error);
    }
  }
  for (const folder of new Set(files.map((path) => dirname(path)))) await syncFolder(folder);
}

function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function refusal(message: string, hint: string): OperatorError {
  return new OperatorError({ operation: 'forget a learner', subject: 'the ledger', message, hint });
}
