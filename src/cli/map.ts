import { type UnknownLearners, unknownLearners } from '../actions/learners/unknown-learners.js';
import { countOf } from '../domain/text/count-of.js';
import { textTable } from '../report/text/layout.js';
import { terms } from '../report/words/terms.js';
import type { Answer, Call } from './command.js';
import { answerOf } from './decision-answer.js';

export async function answer(call: Call): Promise<Answer> {
  const [old, now] = call.inputs;
  if (old !== undefined && now !== undefined) return answerOf('map')(call);
  const list = await unknownLearners(await call.openToDecide({ dryRun: true }), old);
  return {
    document: () => list,
    text: (columns) => unknownText(list, columns),
    // A mapping needs both identifiers.
    ...(old === undefined ? {} : { exit: 'usage' as const }),
  };
}

function unknownText({ learners, rows, unknown }: UnknownLearners, columns: number | null): string {
  if (unknown.length === 0) return 'No row is about a learner unknown to the platform.\n';
  const table = textTable(
    ['UNKNOWN', 'TYPE', 'ENVIRONMENT', 'ROWS', 'FOR EXAMPLE', 'NEXT RECHECK', 'SIMILAR KNOWN'],
    unknown.map((learner) => [
      learner.id,
      learner.type,
      learner.environment,
      learner.rows,
      learner.example,
      learner.nextRecheck ?? 'none',
      learner.near.map(({ id, why }) => `${id} (${terms().differences[why]})`).join(', ') || '-',
    ]),
    columns,
  );
  const lines = [table, ''];
  if (learners > unknown.length)
    lines.push(`Shown: ${unknown.length} of ${countOf(learners, 'learner')}, ${countOf(rows, 'row')}.`);
  lines.push(
    'To correct an identifier: registrar map OLD NEW --because TEXT',
    'A similar identifier may belong to another person: check before you map.',
  );
  return `${lines.join('\n')}\n`;
}
