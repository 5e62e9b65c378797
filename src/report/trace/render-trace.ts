import type { ExplainedField, LifeAnswer, LifeAttempt, TracedDecision } from '../../documents/trace.js';
import { partFileName } from '../../domain/drop.js';
import { cellText } from '../../domain/row.js';
import { countOf } from '../../domain/text/count-of.js';
import { visibleStrings } from '../../domain/text/visible-text.js';
import { clip } from '../text/layout.js';
import { MAX_SHOWN, nextText, type Trace, type TracedSubmission } from './trace.js';
import type { TracedRow } from './traced-row.js';

/** Longest piece of an answer's body on the screen; `--verbose`, which shows headers as well, has all of it. */
const MAX_BODY = 1_000;
const CUT_BODY = 75;

/** The trace for a person at a terminal. Ends with a newline. Personal. */
export function renderTrace(raw: Trace, inFull: boolean): string {
  const trace = visibleStrings(raw, ['body']);
  const max = inFull ? Number.POSITIVE_INFINITY : MAX_SHOWN;
  const others = trace.rows.filter(
    ({ submission, resolvedBy }) => submission === null && resolvedBy === null,
  );
  const more = Math.max(0, trace.submissions.length - max) + Math.max(0, others.length - max);
  const sections = [
    heading(trace),
    ...trace.corrections.map(
      ({ old, now }) => `${old.type} ${old.id} counts as ${now.type} ${now.id} (registrar map).`,
    ),
    ...trace.remarks,
    ...others.slice(0, max).map((row) => rowText(row, trace)),
    ...trace.submissions.slice(0, max).map((life) => lifeText(life, trace, inFull)),
    ...(more > 0 ? [`… and ${more} more: --verbose shows all.`] : []),
    ...(trace.unsearched > 0 ? [unsearchedText(trace.unsearched)] : []),
  ];
  return `${sections.join('\n\n')}\n`;
}

/** The sentence for a trace that found nothing, with what was looked for. */
export function notFoundText(raw: Trace): string {
  const trace = visibleStrings(raw);
  const sentences = [
    `Nothing was found for ${trace.what}.`,
    ...trace.remarks,
    'Looked for: a submission (#N), a line of a file (FILE:LINE, or a drop’s number for FILE), a learner by every type of identifier with all corrections, the cells of invalid and skipped rows, and a key.',
    ...(trace.unsearched > 0 ? [unsearchedText(trace.unsearched)] : []),
  ];
  return `${sentences.join('\n')}\n`;
}

function unsearchedText(rows: number): string {
  return `${rows} invalid or skipped rows were not searched, which takes longer: --search-cells does.`;
}

function heading({ what, rows, submissions }: Trace): string {
  const files = new Set(rows.map(({ drop }) => drop)).size;
  return `${what}: ${countOf(rows.length, 'row')} in ${countOf(files, 'file')}, ${countOf(submissions.length, 'submission')}.`;
}

function lifeText(life: TracedSubmission, trace: Trace, inFull: boolean): string {
  const { submission, state, heldReason, key, revision, environment, operation } = life;
  const title = `#${submission} ${state}${heldReason === null ? '' : `: ${heldReason}`}`;
  const parts = [
    `${title}   ${operation} to ${environment}`,
    `  key ${key}${revision > 1 ? `, revision ${revision}` : ''}`,
    ...(life.damaged ? [DAMAGED] : []),
    ...rowsOf(life, trace).map((row) => rowText(row, trace)),
    ...lineage(life),
    ...steps(life, inFull),
    `  Next: ${nextText(life.next)}`,
  ];
  return parts.join('\n');
}

const DAMAGED = '  What the ledger keeps of it is not what was staged: restore a backup.';

/** The submission's own row first, then the rows that repeat it. */
function rowsOf({ submission, drop, line }: TracedSubmission, { rows }: Trace): readonly TracedRow[] {
  const isOwn = (row: TracedRow) => row.drop === drop && row.line === line;
  return [
    ...rows.filter(isOwn),
    ...rows.filter((row) => !isOwn(row) && (row.submission === submission || row.resolvedBy === submission)),
  ];
}

/** The file with its sheet; the drop of a further sheet has the sheet in its name already. */
function withSheet({ file, sheet }: TracedRow): string {
  if (sheet === null) return file;
  const suffix = partFileName('', sheet);
  return file.endsWith(suffix) ? file : `${file}${suffix}`;
}

function rowText(row: TracedRow, trace: Trace): string {
  const { drop, line, issues, source, importedAt } = row;
  const head = `  ${withSheet(row)}:${line} (drop ${drop} of ${source}, imported ${importedAt}): ${fateText(row)}`;
  const reasons = issues.flatMap(({ code, message, remedy }) => [
    `    ${code}: ${message ?? 'erased'}`,
    `      ${remedy}`,
  ]);
  // A repeated row says the same as the row that it repeats, which is shown.
  const isShown = trace.submissions.some((life) => life.drop === drop && life.line === line);
  const isRepeat = row.disposition === 'duplicate' && !isShown;
  return [head, ...reasons, ...(isRepeat ? [] : fieldLines(row))].join('\n');
}

function fateText(row: TracedRow): string {
  const { correctedBy } = row;
  // What a correction has resolved is named with it.
  const isNamed = row.resolvedIn?.decisionId === correctedBy?.decisionId;
  return correctedBy === null || isNamed
    ? becameText(row)
    : `${becameText(row)}, corrected by ${decisionText(correctedBy)}`;
}

function becameText({ disposition, submission, resolvedBy, resolvedIn }: TracedRow): string {
  if (disposition === 'duplicate') return `repeats #${submission}`;
  if (resolvedIn === null) return disposition;
  const unsent = resolvedIn.kind === 'restage' ? 'now skipped by policy' : 'resolved';
  return `${disposition}, ${resolvedBy === null ? unsent : `now #${resolvedBy}`}: ${decisionText(resolvedIn)}`;
}

function fieldLines({ cells, fields, settings }: TracedRow): string[] {
  if (cells === null) return ['    Its cells were erased.'];
  if (fields.length === 0) return [`    ${cells.map(({ value }) => cellText(value)).join(' | ')}`];
  const read = fields.filter(({ column }) => column !== null);
  const width = Math.max(0, ...read.map(({ field }) => field.length));
  const lines = read.map((field) => `    ${field.field.padEnd(width)}  ${fieldText(field)}`);
  const constants = fields.filter(({ column }) => column === null);
  const others = constants.map(({ field, after, rule }) => `${field} ${after} (${rule})`).join(', ');
  const changed = {
    same: [],
    changed: ["    The source's settings have changed since; the rules are today's."],
    unknown: ["    The rules are today's; the file is too large to check for changed settings."],
  }[settings];
  return [...lines, ...(constants.length === 0 ? [] : [`    ${others}`]), ...changed];
}

function fieldText({ column, before, after, rule }: ExplainedField): string {
  const from = `${column}: ${before ?? '-'}`;
  if (after === null || String(after) === before) return `${from} (${rule})`;
  return `${from} > ${after} (${rule})`;
}

function lineage({ madeBy, replacedBy, replaces }: TracedSubmission): string[] {
  return [
    ...(madeBy === null ? [] : [`  Made by ${decisionText(madeBy)}`]),
    ...(replaces.length === 0 ? [] : [`  Replaces ${replaces.map((id) => `#${id}`).join(', ')}`]),
    ...(replacedBy === null ? [] : [`  Replaced by #${replacedBy}`]),
  ];
}

/** Changes of state in order, each answer below the one that it led to. */
function steps({ transitions, attempts }: TracedSubmission, inFull: boolean): string[] {
  const shown = new Set<LifeAttempt>();
  const lines = transitions.flatMap((step) => {
    const attempt = attempts.find((one) => one.attempt === step.attempt);
    const lead = `  ${step.at}  ${step.from} > ${step.to}${reasonText(step)}`;
    if (attempt === undefined || step.event === 'claimed') return [lead];
    shown.add(attempt);
    return [lead, ...attempt.answers.map((answer) => answerText(answer, inFull))];
  });
  const rest = attempts.filter((attempt) => !shown.has(attempt));
  return [
    ...lines,
    ...rest.map((attempt) => `  ${attempt.startedAt}  request ${attempt.attempt}: no answer yet`),
  ];
}

function reasonText(step: TracedSubmission['transitions'][number]): string {
  const { run, decision, event, attempt, reason } = step;
  const who = decision === null ? (run === null ? [] : [`run ${run}`]) : [decisionText(decision)];
  const sent = event === 'claimed' && attempt !== null ? [`request ${attempt}`] : [];
  const why = decision === null && reason !== null ? [reason] : [];
  const parts = [...why, ...who, ...sent];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function decisionText({ decisionId, kind, who, because, madeAt }: TracedDecision): string {
  return `${kind} of ${who} at ${madeAt}, decision ${decisionId}${because === null ? '' : `: “${because}”`}`;
}

function answerText(answer: LifeAnswer, inFull: boolean): string {
  const { outcome, status, failure, durationMs, body, bodyState, headers, isLate } = answer;
  const lines = [`${isLate ? 'late: ' : ''}${status ?? `no answer (${failure})`} in ${durationMs} ms`];
  if (inFull) lines.push(...Object.entries(headers).map(([name, value]) => `${name}: ${value}`));
  if (body !== null) {
    // An answer that accepts repeats what was sent.
    const max = outcome === 'accepted' ? CUT_BODY : MAX_BODY;
    lines.push(
      `${clip(body, inFull ? body.length : max)}${bodyState === 'complete' ? '' : ` [${bodyState}]`}`,
    );
  }
  return lines.map((line) => line.replace(/^(?=.)/gm, '    ')).join('\n');
}
