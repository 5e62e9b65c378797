import { KNOWN_CALLS } from '../../config/platform-calls.js';
import type { Restaged } from '../../documents/decisions.js';
import { issueText } from '../../domain/issue.js';
import { errorsOf } from '../../domain/operator-error.js';
import { agreeing, countOf } from '../../domain/text/count-of.js';
import { type PublishedDrop, publishedDrops } from '../../ledger/drops/published-drops.js';
import { restageFacts } from '../../ledger/drops/rows/kept-rows.js';
import { name } from '../../report/sections/section.js';
import { type CheckedDrop, type CheckedRecord, withRequests } from '../../staging/check/check-drop.js';
import { rowJudge } from '../../staging/check/judge-rows.js';
import { readInvalidAgain } from '../../staging/correct/rows-again.js';
import { settingsInQuestion } from '../../staging/key-settings.js';
import { stagingTarget } from '../../staging/stage-context.js';
import { sourceNamed } from '../context.js';
import { decide } from '../decision/decide.js';
import { finishDecisions } from '../decision/finish.js';
import type { Preview, Verb } from '../decision/verb.js';
import type { RequestOf } from '../decision/verb-facts.js';
import { issueTable, requestTable } from '../rows/plan-tables.js';
import { restageHandler } from './handler.js';

/** A drop's invalid rows are read again under today's settings, after its source was corrected. */
export const restage: Verb<RequestOf<'restage'>, Restaging, RestagedDrop> = {
  async plan({ ledger, config }, { drop: name, limit }) {
    const drop = oneDrop(await publishedDrops(ledger, name), name);
    const source = sourceNamed(config, drop.source);
    const inQuestion = await settingsInQuestion(ledger, source);
    if (inQuestion !== null) throw inQuestion;
    const facts = await restageFacts(ledger, drop.dropId);
    const { open, records, skipped, issues } = await readInvalidAgain(ledger, drop, source, facts);
    const target = stagingTarget(source);
    const judge = rowJudge(ledger, target);
    const listed: CheckedRecord[] = [];
    let made = 0;
    for (const row of records) {
      const { disposition, records } = await judge(row);
      for (const record of records) if (listed.length < limit) listed.push({ line: row.line, record });
      if (disposition !== 'duplicate') made += 1;
    }
    const calls = config.environments[source.environment] ?? KNOWN_CALLS;
    const outlook = {
      open,
      made,
      repeated: records.length - made,
      skipped: skipped.length,
      still: open - records.length - skipped.length,
      issues,
      records: withRequests(target, calls, listed),
    };
    return { drop, outlook };
  },
  // Where nothing would change, nothing is decided.
  async carryOut(context, { drop }, who, because) {
    // The same decision may have been made before by a process that died: what is left is known once it is carried out.
    await finishDecisions(context, null);
    const { outlook } = await restage.plan(context, { drop: String(drop.dropId), limit: 0 });
    const { records: _records, ...counts } = outlook;
    if (isUnchanged(outlook)) return { ...counts, decisionId: null };
    const facts = { kind: 'restage' as const, who, because, selection: { drop: drop.dropId } };
    const { decisionId, done } = await decide(context, restageHandler, facts);
    return { ...done, decisionId };
  },
  preview,
  outcome: (_planned, { made, ...done }) => [
    rowsText({ made, ...done }, true),
    ...done.issues.map((issue) => `line ${issue.line}, ${issue.code}: ${issueText(issue)}`),
    ...(made > 0 ? [`The next registrar run delivers ${agreeing(made, 'it', 'them')}.`] : []),
  ],
  document({ drop, outlook }, done, dryRun) {
    const { decisionId: decision = null, ...counts } = done ?? { ...outlook, decisionId: null };
    return {
      drop: drop.dropId,
      file: drop.file,
      dryRun,
      decision,
      ...counts,
      records: dryRun ? outlook.records : [],
    };
  },
  leavesWork: ({ outlook }, _done, dryRun) => !dryRun && outlook.still > 0,
};

/** What reading the rows again would give, with the requests of the first `limit` new submissions. */
interface Restaging {
  readonly drop: PublishedDrop;
  readonly outlook: Restaged & { readonly records: CheckedDrop['records'] };
}

/** `decisionId`: null where there was nothing to do, so that nothing was decided. */
export type RestagedDrop = Restaged & { readonly decisionId: number | null };

function isUnchanged({ made, repeated, skipped }: Restaged): boolean {
  return made + repeated + skipped === 0;
}

function preview({ drop, outlook }: Restaging): Preview {
  const { open, made, repeated, skipped, issues, records } = outlook;
  const changes = !isUnchanged(outlook);
  return {
    headline: [name(drop.file), `, drop ${drop.dropId} of ${drop.source}`],
    lines: [
      rowsText(outlook, false),
      ...(changes || open === 0 ? [] : ['Fix the source’s settings in registrar.yaml, or correct the rows.']),
      ...(issues.length > MAX_ISSUES ? [`${issues.length - MAX_ISSUES} more issues are not shown.`] : []),
    ],
    tables: [
      requestTable('What would be delivered', records),
      issueTable('What would still be invalid', issues.slice(0, MAX_ISSUES), drop.dropId),
    ],
    changes,
    fingerprint: [open, made, repeated, skipped].join(' '),
  };
}

const MAX_ISSUES = 20;

function rowsText({ open, made, repeated, skipped, still }: Restaged, isDone: boolean): string {
  if (open === 0) return 'No row of this file is invalid any more.';
  const [waits, areSkipped, areInvalid] = isDone
    ? [
        `${agreeing(made, 'waits', 'wait')} now`,
        `${agreeing(skipped, 'is', 'are')} skipped`,
        `${agreeing(still, 'is', 'are')} still invalid`,
      ]
    : ['would wait to be delivered', 'would be skipped', 'would still be invalid'];
  return `${countOf(open, 'invalid row')}: ${made} ${waits}, ${repeated} ${agreeing(repeated, 'repeats', 'repeat')} what is known, ${skipped} ${areSkipped} by policy, ${still} ${areInvalid}.`;
}

function oneDrop(drops: readonly PublishedDrop[], name: string): PublishedDrop {
  const [drop, another] = drops;
  if (drop !== undefined && another === undefined) return drop;
  const refusal = errorsOf('restage a drop');
  if (drop === undefined) {
    const message = `no imported drop has the name or number "${name}"`;
    const hint = 'The report lists the files. Drop a refused file again instead.';
    throw refusal(name, message, hint, { reason: 'not-found' });
  }
  const hint = `Name one by its number: ${drops.map(({ dropId }) => dropId).join(', ')}.`;
  throw refusal(name, `${drops.length} drops are called ${name}`, hint, { reason: 'invalid' });
}
