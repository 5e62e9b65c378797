import type { AttentionCause } from '../../documents/report.js';
import { attentionRows } from '../../ledger/books/rows/attention-rows.js';
import type { ListedDrop } from '../../ledger/books/rows/listed-rows.js';
import type { Ledger } from '../../ledger/store/query.js';
import type { Report } from '../report.js';
import { type Actor, whoActs } from '../words/causes.js';

/** Rows of one source whose files have the same header, and which therefore share a sheet. */
export interface HeaderShape {
  readonly source: string;
  readonly header: readonly string[];
  readonly drops: readonly ListedDrop[];
  readonly rows: number;
  /** Columns in which something is wrong in some row. */
  readonly faulty: ReadonlySet<string>;
}

/** Rows that one setting or one rerun resolves. */
export interface KeptCause extends AttentionCause {
  /** The source whose settings resolve the rows; null where the rows are sent again, whatever their source. */
  readonly source: string | null;
  readonly drops: readonly ListedDrop[];
  readonly rows: number;
  /** The first different values that the cause is about. Personal. */
  readonly values: readonly string[];
}

/** Who has how much to do: the result of one pass over all rows that need attention, before any sheet is written. */
export interface Survey {
  readonly rows: Readonly<Record<Actor, number>>;
  readonly shapes: readonly HeaderShape[];
  readonly causes: readonly KeptCause[];
  readonly platformDrops: readonly ListedDrop[];
}

/** The most values that are named: more would make a cell long and say nothing new. */
const VALUES = 5;

export async function survey(ledger: Ledger, { selection, drops }: Report): Promise<Survey> {
  const rows: Record<Actor, number> = { sender: 0, learners: 0, platform: 0, operator: 0 };
  const shapes = new Map<string, ReturnType<typeof newShape>>();
  const causes = new Map<string, ReturnType<typeof newCause>>();
  const platformDrops = new Set<ListedDrop>();
  for (const drop of drops) {
    for await (const row of await attentionRows(ledger, drop.drop, selection)) {
      const actor = whoActs(row);
      rows[actor] += 1;
      if (actor === 'platform') platformDrops.add(drop);
      if (actor === 'sender') {
        const shape = counted(shapes, drop, newShape(drop), [drop.source, drop.header]);
        for (const { column } of row.issues) if (column !== null) shape.faulty.add(column);
      }
      const [issue] = row.issues;
      const cause = issue?.code ?? row.cause;
      if (actor !== 'operator' || cause === null) continue;
      const kind = {
        source: row.state === 'invalid' ? drop.source : null,
        state: row.state,
        cause,
        code: issue?.code ?? row.code,
      };
      const { values } = counted(causes, drop, newCause(kind), kind);
      const value = issue?.value ?? null;
      if (value !== null && values.length < VALUES && !values.includes(value)) values.push(value);
    }
  }
  return {
    rows,
    shapes: [...shapes.values()],
    causes: [...causes.values()],
    platformDrops: [...platformDrops],
  };
}

function newShape({ source, header }: ListedDrop) {
  return { source, header, rows: 0, drops: [] as ListedDrop[], faulty: new Set<string>() };
}

function newCause(kind: Pick<KeptCause, 'source' | 'state' | 'cause' | 'code'>) {
  return { ...kind, rows: 0, drops: [] as ListedDrop[], values: [] as string[] };
}

/** Counts a row of the drop in the group of this key. @returns the group, which is `fresh` at first. */
function counted<Group extends { rows: number; drops: ListedDrop[] }>(
  groups: Map<string, Group>,
  drop: ListedDrop,
  fresh: Group,
  key: unknown,
): Group {
  const name = JSON.stringify(key);
  const group = groups.get(name) ?? fresh;
  groups.set(name, group);
  group.rows += 1;
  if (group.drops.at(-1) !== drop) group.drops.push(drop);
  return group;
}
