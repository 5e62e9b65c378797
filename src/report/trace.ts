import type { Config } from '../config/schema.js';
import { isoFromMs } from '../domain/clock.js';
import type { Correction } from '../ledger/corrections.js';
import { type Ledger, reading } from '../ledger/query.js';
import { type SubmissionLife, submissionLife } from '../ledger/submission-life.js';
import { type Place, rowFate, rowsLeadingTo, submissionsFrom } from '../ledger/traced-rows.js';
import { type Asked, type FoundTraces, findTraced } from './find-traced.js';
import { type NextStep, nextStep } from './next-step.js';
import { createRowTracer, type TracedRow } from './traced-row.js';

/** Every step of a life: the rows it was read from, the submissions they became, and what the platform said. Personal. */
export interface Trace {
  /** What was asked for, as it was typed. */
  readonly what: string;
  readonly at: string;
  readonly kind: FoundTraces['kind'];
  readonly rows: readonly TracedRow[];
  readonly submissions: readonly TracedSubmission[];
  readonly corrections: readonly Correction[];
  readonly unsearched: number;
  readonly remarks: readonly string[];
}

/** A submission with what happens to it next. */
export interface TracedSubmission extends SubmissionLife {
  readonly next: NextStep;
}

/** Reads a trace off the ledger: what fits, and all that belongs to it. */
export async function trace(ledger: Ledger, config: Config, asked: Asked): Promise<Trace> {
  const { found, lives, places } = reading(ledger, () => {
    const start = findTraced(ledger, asked);
    return { found: start, ...allThatBelongs(ledger, start) };
  });
  const rowAt = createRowTracer(ledger, config.sources);
  const rows: TracedRow[] = [];
  const missing: string[] = [];
  for (const place of places) {
    const row = await rowAt(place, recordOf(place, lives));
    if (row !== null) rows.push(row);
    else missing.push(`Nothing was read in line ${place.line} of drop ${place.dropId}.`);
  }
  const isFound = rows.length + lives.length + found.corrections.length > 0;
  return {
    what: asked.what,
    at: isoFromMs(ledger.clock.nowMs()),
    kind: isFound ? found.kind : null,
    rows,
    submissions: lives.map((life) => ({ ...life, next: nextStep(ledger, config, life) })),
    corrections: found.corrections,
    unsearched: found.unsearched,
    remarks: [...found.remarks, ...(found.remarks.length > 0 ? [] : missing)],
  };
}

/**
 * Goes on from what was found until nothing new comes: from a row to what it became or repeats, from a submission to all
 * rows that lead to it and to what it replaces or is replaced by.
 */
function allThatBelongs(ledger: Ledger, { places, submissionIds }: FoundTraces) {
  const lives = new Map<number, SubmissionLife>();
  const rows = new Map<string, Place>();
  const openIds = [...submissionIds];
  const openPlaces = [...places];
  while (openIds.length > 0 || openPlaces.length > 0) {
    for (const place of openPlaces.splice(0)) {
      const name = `${place.dropId}:${place.line}`;
      if (rows.has(name)) continue;
      rows.set(name, place);
      const fate = rowFate(ledger, place);
      const led = [fate?.submissionId, fate?.resolution?.submissionId].filter((id) => typeof id === 'number');
      openIds.push(...submissionsFrom(ledger, place), ...led);
    }
    for (const id of openIds.splice(0)) {
      if (lives.has(id)) continue;
      const life = submissionLife(ledger, id);
      if (life === null) continue;
      lives.set(id, life);
      openIds.push(...life.replaces, ...(life.replacedBy === null ? [] : [life.replacedBy]));
      openPlaces.push({ dropId: life.dropId, line: life.line }, ...rowsLeadingTo(ledger, id));
    }
  }
  return {
    lives: [...lives.values()].sort((a, b) => a.submissionId - b.submissionId),
    places: [...rows.values()].sort((a, b) => a.dropId - b.dropId || a.line - b.line),
  };
}

/** The record that staging made of the row; a decision's is about what it was corrected to. */
function recordOf({ dropId, line }: Place, lives: readonly SubmissionLife[]): SubmissionLife['record'] {
  const here = lives.filter((life) => life.dropId === dropId && life.line === line);
  return (here.find(({ madeBy }) => madeBy === null) ?? here[0])?.record ?? null;
}
