import { basename } from 'node:path';
import { durationText } from '../config/duration.js';
import type { SourceConfig } from '../config/schema.js';
import { agreeing, countOf } from '../domain/count-of.js';
import { OperatorError } from '../domain/operator-error.js';
import { DISPOSITIONS, type Disposition } from '../domain/row.js';
import { type ControlTotal, readControl } from '../intake/read-control.js';
import type { ControlFinding } from '../ledger/control-totals.js';

/** What a source expects of one file. */
export interface Expectation {
  /** The control file's name and what it says; null when there is none, or none came in time. */
  readonly said: (ControlTotal & { readonly name: string }) | null;
  readonly min: number | null;
  readonly max: number | null;
}

/**
 * What is expected of a drop; null when its source expects nothing.
 * @param controlPath its control file, null when none came in time.
 */
export async function expectationOf(
  controlPath: string | null,
  { control }: Pick<SourceConfig, 'control'>,
): Promise<Expectation | null> {
  if (control === undefined) return null;
  const name =
    controlPath === null ? '' : basename(controlPath).replace(/^(control|refused)-[0-9a-f]{8}-/, '');
  const said = controlPath === null ? null : { name, ...(await readControl(controlPath, name)) };
  return { said, min: control.rows?.min ?? null, max: control.rows?.max ?? null };
}

/** Throws OperatorError when the drop's bytes are not those its control file names: that is damage, whatever the policy. */
export function requireSameBytes(expected: Expectation | null, sha256: string, fileName: string): void {
  const { said } = expected ?? {};
  if (!said || said.sha256 === null || said.sha256 === sha256) return;
  throw new OperatorError({
    operation: 'compare a drop with its control file',
    subject: fileName,
    message: `${said.name} says that the file has the SHA-256 ${said.sha256}, and it has ${sha256}.`,
    hint: 'It was damaged or replaced on the way: have it sent again.',
    exit: 'attention',
  });
}

/**
 * Compares the rows of data that were read with what is expected. Titles, headers, totals and blank lines don't count.
 * @returns what reports say of it, and the sentence to refuse the drop with; null for none.
 */
export function compareRows(
  { said, min, max }: Expectation,
  { whenDifferent, file, wait }: NonNullable<SourceConfig['control']>,
  dispositions: Readonly<Record<Disposition, number>>,
): { readonly finding: ControlFinding; readonly refusal: string | null } {
  const read = DISPOSITIONS.reduce(
    (sum, name) => (name === 'non-data' || name === 'blank' ? sum : sum + dispositions[name]),
    0,
  );
  const isMissing = file !== undefined && said === null;
  const expected = said === null ? { min, max } : { min: said.rows, max: said.rows };
  const words = [
    ...(isMissing ? [`No control file came within ${durationText(wait)}.`] : []),
    ...(said !== null && said.rows !== read
      ? [
          `${said.name} says that the file has ${countOf(said.rows, 'row')}, and ${read} ${agreeing(read, 'was', 'were')} read.`,
        ]
      : []),
    ...(min !== null && read < min
      ? [
          `At least ${countOf(min, 'row is', 'rows are')} expected, and ${read} ${agreeing(read, 'was', 'were')} read.`,
        ]
      : []),
    ...(max !== null && read > max
      ? [
          `At most ${countOf(max, 'row is', 'rows are')} expected, and ${read} ${agreeing(read, 'was', 'were')} read.`,
        ]
      : []),
  ];
  const state = isMissing ? 'missing' : words.length > 0 ? 'different' : 'met';
  const isRefused = whenDifferent === 'refuse' && words.length > 0;
  return { finding: { ...expected, read, state }, refusal: isRefused ? [...words, REMEDY].join(' ') : null };
}

const REMEDY =
  'Have the whole file sent again; or, when it is right as it is, correct its control file, or control of the source, and put both back into the inbox.';
