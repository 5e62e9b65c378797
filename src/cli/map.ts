import { mappedDocument, mappingDocument } from '../actions/documents/mapping-document.js';
import { unknownLearners } from '../actions/learners/unknown-learners.js';
import { carryOut, type Mapped, type Mapping, plan } from '../actions/map.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import { textTable } from '../report/text/layout.js';
import { causeWords } from '../report/words/causes.js';
import type { Answer, Call } from './command.js';
import type { putRight } from './facts/put-right.js';
import { unknownText } from './unknown-words.js';
import { neededReason } from './wrong-use.js';

/** Carries `registrar map` out. */
export async function answer({
  inputs: [old, now],
  options,
  who,
  openToDecide,
}: Call<typeof putRight.map>): Promise<Answer> {
  const isList = old === undefined || now === undefined;
  const context = await openToDecide({ dryRun: isList || options.dryRun === true });
  if (old === undefined || now === undefined) {
    const list = await unknownLearners(context, old);
    return {
      document: () => list,
      text: (columns) => unknownText(list, columns),
      // A mapping needs both identifiers.
      ...(old === undefined ? {} : { exit: 'usage' as const }),
    };
  }
  const { because = '', type, newType, dryRun = false } = options;
  const mapping = await plan(context, { old, now, type, newType });
  if (dryRun) return dryAnswer(mapping);
  neededReason('map', because);
  return doneAnswer(await carryOut(context, mapping, who, because));
}

function dryAnswer(mapping: Mapping): Answer {
  return {
    document: () => mappingDocument(mapping),
    text: (columns) => dryText(mapping, columns),
  };
}

function doneAnswer(mapped: Mapped): Answer {
  return {
    document: () => mappedDocument(mapped),
    text: () => doneText(mapped),
  };
}

function dryText(mapping: Mapping, columns: number | null): string {
  const { rows } = mapping;
  const lines = [
    `${countOf(rows.length, 'row')} would be replaced. Nothing was changed.`,
    ...stayText(mapping),
  ];
  if (rows.length === 0) return `${lines.join('\n')}\n`;
  const table = textTable(
    ['ROW', 'STATE', 'CODE', 'FROM'],
    rows.map((row) => [row.submissionId, row.state, row.code, `${row.file}:${row.line}`]),
    columns,
  );
  return `${table}\n\n${lines.join('\n')}\n`;
}

function doneText({ made, linked, left, mapping, standing }: Mapped): string {
  const lines = [
    `${countOf(made + linked, 'row')} replaced: ${made} by new ones under NEW, ${linked} by ones that were there.`,
    ...stayText(mapping),
    'In files to come OLD counts as NEW.',
  ];
  if (left > 0) lines.push(`${countOf(left, 'row')} had moved on meanwhile.`);
  lines.push(...standing.map((rows) => standingText(rows)));
  return `${lines.join('\n')}\n`;
}

/** What happens to the new rows: waiting rows are sent, held rows stay until somebody decides. */
function standingText({ state, heldReason, count }: Mapped['standing'][number]): string {
  if (state === 'waiting') {
    return `${countOf(count, 'new row waits', 'new rows wait')}: the next registrar run delivers ${agreeing(count, 'it', 'them')}.`;
  }
  const rows = `${countOf(count, 'new row')} ${agreeing(count, 'is', 'are')}`;
  if (heldReason === null) return `${rows} ${state}.`;
  const { reason, remedy } = causeWords({ state, cause: heldReason, code: heldReason });
  return `${rows} held (${heldReason}), and no run delivers ${agreeing(count, 'it', 'them')}: ${reason}. ${remedy}`;
}

function stayText({ states, replacesEarlier }: Mapping): string[] {
  const lines: string[] = [];
  if (states.accepted) {
    lines.push(
      `${countOf(states.accepted, 'row was', 'rows were')} accepted under OLD and ${agreeing(states.accepted, 'stays; it is', 'stay; they are')} not sent again under NEW.`,
    );
  }
  if (states.sending) {
    lines.push(
      `${countOf(states.sending, 'row')} under way ${agreeing(states.sending, 'is', 'are')} left alone; map again once ${agreeing(states.sending, 'it has', 'they have')} an answer.`,
    );
  }
  if (replacesEarlier) lines.push('OLD was corrected before; this takes the place of that.');
  return lines;
}
