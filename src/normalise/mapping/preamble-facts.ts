import { words } from '../../config/words/words.js';
import { once } from '../../domain/process/once.js';
import { cellText, isBlankCell, type Row } from '../../domain/row.js';
import { headerKey } from '../header/header-text.js';
import { type ZoneNote, zoneNoteOf } from '../time/zone/zone-notes.js';

/** What the lines above a header say about all rows. */
export interface PreambleFacts {
  /** The content of the rows: the number of a meeting or a course, else its title. null: none. */
  readonly content: PreambleFact | null;
  readonly zoneNotes: readonly ZoneNote[];
}

/** A value with its label. */
interface PreambleFact {
  readonly value: string;
  readonly label: string;
  readonly line: number;
}

/** Reads the lines above a header, where reports of meetings and systems name facts that all rows have in common. */
export function preambleFacts(rows: readonly Row[]): PreambleFacts {
  const facts = [...factsOf(rows)].filter(({ value }) => value !== '');
  const labelled = (labels: ReadonlySet<string>) => facts.find(({ label }) => labels.has(headerKey(label)));
  return {
    content: labelled(contentNumbers()) ?? labelled(contentTitles()) ?? null,
    zoneNotes: rows.flatMap((row) => zoneNoteOf(row) ?? []),
  };
}

const contentNumbers = once(() => new Set(words('notes.content-numbers').map(headerKey)));
const contentTitles = once(() => new Set(words('notes.content-titles').map(headerKey)));

/** "Topic: Weekly", a label beside its value, or a line of labels above a line of values. */
function* factsOf(rows: readonly Row[]): Generator<PreambleFact> {
  for (const [index, { cells, line }] of rows.entries()) {
    const filled = cells.flatMap((cell, at) =>
      isBlankCell(cell) ? [] : [{ at, text: cellText(cell).trim() }],
    );
    const [first, second] = filled;
    if (first === undefined) continue;
    if (second === undefined) {
      const colon = /^([^:]{2,40}):\s*(\S.*)$/s.exec(first.text);
      if (colon) yield { label: colon[1] ?? '', value: colon[2] ?? '', line };
      continue;
    }
    if (filled.length === 2) yield { label: first.text.replace(/:\s*$/, ''), value: second.text, line };
    const below = rows[index + 1];
    if (below === undefined) continue;
    for (const { at, text } of filled) {
      yield { label: text, value: cellText(below.cells[at]).trim(), line: below.line };
    }
  }
}
