import { basename } from 'node:path';
import type { SourceConfig } from '../config/schema.js';
import { durationText } from '../config/values/duration.js';
import type { ControlExpectation } from '../domain/files/control-totals.js';
import { OperatorError } from '../domain/operator-error.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import { type ControlTotal, readControl } from '../intake/read-control.js';

/** What a source expects of one file. */
export interface Expectation {
  /** The control file's name and content; null where there is no control file, or none came in time. */
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

/**
 * Throws OperatorError where the drop's bytes are not the bytes that its control file names: that is damage, whatever the
 * policy.
 */
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

/** What the ledger compares the rows with. */
export function totalsOf(
  { said, min, max }: Expectation,
  { file }: NonNullable<SourceConfig['control']>,
): ControlExpectation {
  return { said: said?.rows ?? null, isMissing: file !== undefined && said === null, min, max };
}

/** The sentences of the refusal of a drop. @param read rows of data that were read. */
export function refusalText(
  { said, min, max }: Expectation,
  { file, waitMs }: NonNullable<SourceConfig['control']>,
  read: number,
): string {
  const were = `and ${read} ${agreeing(read, 'was', 'were')} read.`;
  const words = [
    ...(file !== undefined && said === null ? [`No control file came within ${durationText(waitMs)}.`] : []),
    ...(said !== null && said.rows !== read
      ? [`${said.name} says that the file has ${countOf(said.rows, 'row')}, ${were}`]
      : []),
    ...(min !== null && read < min
      ? [`At least ${countOf(min, 'row is', 'rows are')} expected, ${were}`]
      : []),
    ...(max !== null && read > max
      ? [`At most ${countOf(max, 'row is', 'rows are')} expected, ${were}`]
      : []),
  ];
  return [...words, REMEDY].join(' ');
}

const REMEDY =
  'Have the whole file sent again; or, when it is right as it is, correct its control file, or control of the source, and put both back into the inbox.';
