import { hash } from 'node:crypto';
import type { Correction, MappingProblem } from '../domain/learners/corrected-learners.js';
import { errorsOf } from '../domain/operator-error.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import { type Mapping, planMapping } from '../ledger/decisions/mapping.js';
import type { Ledger } from '../ledger/store/query.js';
import { name } from '../report/sections/section.js';
import { counted } from '../report/text/counted.js';
import { causeWords } from '../report/words/causes.js';
import { decide } from './decision/decide.js';
import { type MappedRows, mapHandler } from './decision/map-learner.js';
import { type Preview, requiredReason, type Verb } from './decision/verb.js';
import type { RequestOf } from './decision/verb-facts.js';
import { identifierType, learnerFromText, learnerToMap } from './learners/learners-named.js';
import { PREVIEW_ROWS, rowTables } from './rows/chosen-rows.js';

/**
 * One identifier counts in place of another, from now on, and the rows that were not delivered under the old one are replaced.
 * Rows that are under way or accepted are left alone; a second call picks up rows that were under way.
 */
export const map: Verb<RequestOf<'map'>, Mapping, Mapped> = {
  async plan({ ledger }, { old, new: now, type, newType }) {
    const oldType = type === undefined ? undefined : identifierType(type, 'type');
    const learner = await learnerToMap(ledger, old, oldType);
    const targetType = newType === undefined ? learner.type : identifierType(newType, 'newType');
    return plannedMapping(ledger, {
      old: learner,
      now: learnerFromText(ledger, targetType, now, 'the new identifier'),
    });
  },
  async carryOut(context, { correction }, who, reason) {
    const because = requiredReason('map', reason);
    const mapping = await plannedMapping(context.ledger, correction);
    const facts = { kind: 'map' as const, correction, who, because };
    const { decisionId, done } = await decide(context, mapHandler, facts);
    return { ...done, mapping, decisionId };
  },
  preview,
  outcome: (_planned, { made, linked, left, mapping, standing }) => [
    `${countOf(made + linked, 'row was', 'rows were')} replaced: ${made} by new rows under NEW, ${linked} by existing rows.`,
    ...unchangedLines(mapping),
    'In future files, OLD is replaced by NEW.',
    ...(left > 0 ? [`${countOf(left, 'row')} in another state by now: not replaced.`] : []),
    ...standing.map(standingText),
  ],
  document: documentOf,
};

interface Mapped extends MappedRows {
  readonly mapping: Mapping;
  readonly decisionId: number;
}

/** What a corrected identifier changes. Throws OperatorError, which doesn't name the identifiers, where it can't be made. */
export async function plannedMapping(ledger: Ledger, correction: Correction): Promise<Mapping> {
  const planned = await planMapping(ledger, correction);
  if (typeof planned !== 'string') return planned;
  const reason = planned === 'same' ? 'invalid' : null;
  throw errorsOf('map a learner')('the identifiers', ...REFUSALS[planned], { reason });
}

const REFUSALS: Readonly<Record<MappingProblem, readonly [message: string, hint: string]>> = {
  same: ['both identifiers are the same', 'Nothing to do.'],
  circle: [
    'the new identifier has been mapped to the old one before, so each would replace the other',
    'If that mapping was wrong, map the new identifier to the right one first.',
  ],
  forgotten: [
    'a learner of these identifiers was forgotten on request; nothing about them may be kept',
    'Take the learner out of the files instead.',
  ],
};

function preview(mapping: Mapping): Preview {
  const { correction, now, rows } = mapping;
  const { old, now: next } = correction;
  const which = hash('sha256', String(rows.map(({ submissionId, state }) => `${submissionId} ${state}`)));
  const chosen = {
    first: rows.slice(0, PREVIEW_ROWS).map((row) => ({ ...row, environment: '' })),
    rows: {
      total: rows.length,
      groups: rows.map(({ state, code }) => ({ state, code, environment: '', rows: 1 })),
    },
  };
  return {
    headline: [
      ...[`${counted(rows.length, 'row')} of `, name(old.id, 'OLD'), ` (${old.type}) `],
      ...[`${agreeing(rows.length, 'is', 'are')} mapped to `, name(next.id, 'NEW'), ` (${next.type})`],
    ],
    lines: [
      ...(now.hash === next.hash
        ? []
        : [['That identifier was mapped before: ', name(now.id, 'its correction'), ' is used.']]),
      'Future files are corrected as well.',
      ...unchangedLines(mapping),
      'A similar identifier may belong to another person: check before you decide. A mapping can be changed, but not undone.',
    ],
    tables: rows.length === 0 ? [] : rowTables(chosen),
    changes: true,
    fingerprint: `${rows.length} ${which.slice(0, 16)}`,
  };
}

/** What happens to the new rows: waiting rows are sent, held rows stay until a decision. */
function standingText({ state, heldReason, count }: Mapped['standing'][number]): string {
  if (state === 'waiting')
    return `${countOf(count, 'new row waits', 'new rows wait')}: the next registrar run delivers ${agreeing(count, 'it', 'them')}.`;
  const rows = `${countOf(count, 'new row')} ${agreeing(count, 'is', 'are')}`;
  if (heldReason === null) return `${rows} ${state}.`;
  const { reason, remedy } = causeWords({ state, cause: heldReason, code: heldReason });
  return `${rows} held (${heldReason}), and no run delivers ${agreeing(count, 'it', 'them')}: ${reason}. ${remedy}`;
}

function unchangedLines({ states: { accepted = 0, sending = 0 }, replacesEarlier }: Mapping): string[] {
  return [
    ...(accepted > 0
      ? [
          `${countOf(accepted, 'row was', 'rows were')} accepted under OLD and ${agreeing(accepted, 'stays: it is', 'stay: they are')} not sent again under NEW.`,
        ]
      : []),
    ...(sending > 0
      ? [
          `${countOf(sending, 'row')} under way ${agreeing(sending, 'is', 'are')} unchanged: map again once ${agreeing(sending, 'it has', 'they have')} an answer.`,
        ]
      : []),
    ...(replacesEarlier ? ['OLD was mapped before; this mapping replaces the earlier one.'] : []),
  ];
}

function documentOf(planned: Mapping, done: Mapped | null, dryRun: boolean) {
  const { correction, rows, states, replacesEarlier } = done?.mapping ?? planned;
  const { made = 0, linked = 0, left = 0, standing = [] } = done ?? {};
  return {
    dryRun,
    oldType: correction.old.type,
    newType: correction.now.type,
    replacesEarlier,
    selected: rows.map(({ submissionId, state, code, file, line }) => {
      return { submissionId, state, code, file, line };
    }),
    ...{ made, linked, left, standing },
    sending: states.sending ?? 0,
    accepted: states.accepted ?? 0,
  };
}
