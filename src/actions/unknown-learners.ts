import { countOf } from '../domain/count-of.js';
import { OperatorError } from '../domain/operator-error.js';
import { countUnknownLearners } from '../ledger/unknown-learners.js';
import { DIFFERENCE_WORDS } from '../report/guide/learners-sheet.js';
import { recheckTimes } from '../report/recheck-times.js';
import { textTable } from '../report/text-table.js';
import { unknownWithNear } from '../report/unknown-with-near.js';
import type { Session } from './session.js';

/** Learners shown; near matches are looked for among all that was ever accepted, so there is an end. */
const MOST_SHOWN = 200;

type UnknownList = ReturnType<typeof listUnknown>;

/**
 * Learners whom the platform doesn't know, with known ones near them. Personal.
 * @param among hashes: of these alone, and OperatorError where the platform knows them all.
 */
export function listUnknown({ ledger, config }: Session, among?: readonly string[]) {
  const unknown = unknownWithNear(ledger, MOST_SHOWN, among).map(({ learner, hold, example, ...one }) => ({
    environment: one.environment,
    type: learner.type,
    id: learner.id,
    rows: one.rows,
    example: `${example.file}:${example.line}`,
    rechecks: hold?.rechecks ?? 0,
    nextRecheck: recheckTimes(hold, config.environments[one.environment]?.recheck)?.next ?? null,
    near: one.near,
  }));
  if (among !== undefined && unknown.length === 0) {
    throw new OperatorError({
      operation: 'map a learner',
      subject: 'OLD',
      message: 'the platform has refused no row for the sake of a learner with the identifier OLD',
      hint: 'Name the right identifier as well: registrar map OLD NEW --because TEXT. Without both, registrar map lists whom the platform does not know.',
    });
  }
  const { learners, rows } = countUnknownLearners(ledger, {});
  return { learners, rows, unknown };
}

/** The list for people: who is unknown, who may be meant, and what to do. */
export function nextToThem({ learners, rows, unknown }: UnknownList, columns: number | null = null): string {
  if (unknown.length === 0) return 'The platform knows every learner that rows are about.\n';
  const table = textTable(
    ['UNKNOWN', 'TYPE', 'ENVIRONMENT', 'ROWS', 'FOR EXAMPLE', 'NEXT RECHECK', 'KNOWN AND NEAR'],
    unknown.map((one) => [
      one.id,
      one.type,
      one.environment,
      one.rows,
      one.example,
      one.nextRecheck ?? 'none',
      one.near.map(({ id, why }) => `${id} (${DIFFERENCE_WORDS[why]})`).join(', ') || '-',
    ]),
    columns,
  );
  const lines = [table, ''];
  if (learners > unknown.length)
    lines.push(`Shown: ${unknown.length} of ${countOf(learners, 'learner')}, ${countOf(rows, 'row')}.`);
  lines.push(
    'To correct an identifier: registrar map OLD NEW --because TEXT',
    'A near one may be another person: look before you map.',
  );
  return `${lines.join('\n')}\n`;
}
