import type { AttentionCause } from '../../documents/report.js';
import { isAddressHeader, LEARNER_MARK, RIGHT_ADDRESS } from '../../domain/files/guided-workbook.js';
import { cellText } from '../../domain/row.js';
import { attentionRows } from '../../ledger/books/rows/attention-rows.js';
import type { ListedDrop } from '../../ledger/books/rows/listed-rows.js';
import type { ReportSelection } from '../../ledger/drops/report-selection.js';
import type { Ledger } from '../../ledger/store/query.js';
import { sentence } from '../page/causes.js';
import type { Report } from '../report.js';
import { type Actor, whoActs } from './who-acts.js';

/** Rows of one source whose files have the same header, and which therefore stand on one sheet. */
export interface HeaderShape {
  readonly source: string;
  readonly header: readonly string[];
  readonly drops: readonly ListedDrop[];
  readonly rows: number;
  /** Columns in which something is wrong in some row. */
  readonly faulty: ReadonlySet<string>;
}

/** Rows that one setting or one rerun mends. */
export interface KeptCause extends AttentionCause {
  /** The source whose settings mend the rows; null where the rows are sent again, whatever their source. */
  readonly source: string | null;
  readonly drops: readonly ListedDrop[];
  readonly rows: number;
  /** The first different values that the cause is about. Personal. */
  readonly values: readonly string[];
}

/** A right address that a person gave and that couldn't be taken. Personal. */
export interface GivenAddress {
  /** The learner for whom it was given, as far as the row still says so. */
  readonly learner: string;
  readonly address: string;
  /** What is wrong with it and what to do. */
  readonly why: string;
}

/** Who has how much to do: the result of one pass over all rows that need somebody, before any sheet is written. */
export interface Survey {
  readonly rows: Readonly<Record<Actor, number>>;
  readonly shapes: readonly HeaderShape[];
  readonly causes: readonly KeptCause[];
  /** Drops with rows for those who look things up on the platform. */
  readonly platformDrops: readonly ListedDrop[];
  /** Among the rows for those who know the learners. */
  readonly addresses: readonly GivenAddress[];
}

/** The most values that are named: more would make a cell long and say nothing new. */
const VALUES = 5;

/** Surveys the rows of a report's selection. */
export async function survey(ledger: Ledger, { selection, drops }: Report): Promise<Survey> {
  const rows: Record<Actor, number> = { sender: 0, learners: 0, platform: 0, keeper: 0 };
  const shapes = new Map<string, Draft<HeaderShape>>();
  const causes = new Map<string, Draft<KeptCause>>();
  const platformDrops = new Set<ListedDrop>();
  const addresses: GivenAddress[] = [];
  for (const drop of drops) {
    if (isAddressHeader(drop.header)) {
      for await (const address of addressesOf(ledger, drop, selection)) addresses.push(address);
      continue;
    }
    for await (const row of await attentionRows(ledger, drop.drop, selection)) {
      const actor = whoActs(row);
      rows[actor] += 1;
      if (actor === 'platform') platformDrops.add(drop);
      if (actor === 'sender') {
        const { source, header } = drop;
        const shape = draftOf(shapes, [source, header], () => ({
          ...empty(),
          source,
          header,
          faulty: new Set(),
        }));
        add(shape, drop);
        for (const { column } of row.issues) if (column !== null) shape.faulty.add(column);
      }
      const [issue] = row.issues;
      const cause = issue?.code ?? row.cause;
      if (actor === 'keeper' && cause !== null) {
        const { state } = row;
        const source = state === 'invalid' ? drop.source : null;
        const code = issue?.code ?? row.code;
        const kept = draftOf(causes, [source, state, cause, code], () => ({
          ...empty(),
          source,
          state,
          cause,
          code,
          values: [],
        }));
        add(kept, drop);
        const value = issue?.value ?? null;
        if (value !== null && kept.values.length < VALUES && !kept.values.includes(value))
          kept.values.push(value);
      }
    }
  }
  rows.learners += addresses.length;
  return {
    addresses,
    rows,
    shapes: [...shapes.values()],
    causes: [...causes.values()],
    platformDrops: [...platformDrops],
  };
}

/** The rows of a returned sheet of right addresses that need somebody: they belong on the next learners' sheet. */
async function* addressesOf(
  ledger: Ledger,
  drop: ListedDrop,
  selection: ReportSelection,
): AsyncGenerator<GivenAddress> {
  const placeOf = (wanted: string) => drop.header.findIndex((name) => name.trim() === wanted);
  const [learner, address] = [placeOf(LEARNER_MARK), placeOf(RIGHT_ADDRESS)];
  for await (const { cells, issues } of await attentionRows(ledger, drop.drop, selection)) {
    const why = issues.map(
      ({ message, remedy }) => `${sentence(message ?? 'what was wrong was erased')} ${sentence(remedy)}`,
    );
    yield {
      learner: cellText(cells?.[learner]).trim(),
      address: cellText(cells?.[address]),
      why: why.join(' '),
    };
  }
}

/** While it is being counted. */
type Draft<T> = {
  -readonly [Name in keyof T]: T[Name] extends ReadonlySet<infer U>
    ? Set<U>
    : T[Name] extends readonly (infer U)[]
      ? U[]
      : T[Name];
};

function empty(): { rows: number; drops: ListedDrop[] } {
  return { rows: 0, drops: [] };
}

function draftOf<T>(drafts: Map<string, T>, key: unknown, make: () => T): T {
  const name = JSON.stringify(key);
  const known = drafts.get(name);
  if (known) return known;
  const draft = make();
  drafts.set(name, draft);
  return draft;
}

function add(draft: { rows: number; drops: ListedDrop[] }, drop: ListedDrop): void {
  draft.rows += 1;
  if (draft.drops.at(-1) !== drop) draft.drops.push(drop);
}
