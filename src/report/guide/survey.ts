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
  readonly faulty: ReadonlySet<string>;
}

/** Who has how much to do, from one pass over all rows that need attention, before any sheet is written. */
export type Survey = Awaited<ReturnType<typeof survey>>;

export async function survey(ledger: Ledger, { selection, drops }: Report) {
  const rows: Record<Actor, number> = { sender: 0, learners: 0, platform: 0, operator: 0 };
  const shapes = new Map<string, ReturnType<typeof newShape>>();
  for (const drop of drops) {
    for await (const row of await attentionRows(ledger, drop.drop, selection)) {
      const actor = whoActs(row);
      rows[actor] += 1;
      if (actor === 'sender') {
        const name = JSON.stringify([drop.source, drop.header]);
        const shape = shapes.get(name) ?? newShape(drop);
        shapes.set(name, shape);
        shape.rows += 1;
        if (shape.drops.at(-1) !== drop) shape.drops.push(drop);
        for (const { column } of row.issues) if (column !== null) shape.faulty.add(column);
      }
    }
  }
  return { rows, shapes: [...shapes.values()] };
}

function newShape({ source, header }: ListedDrop) {
  return { source, header, rows: 0, drops: [] as ListedDrop[], faulty: new Set<string>() };
}
