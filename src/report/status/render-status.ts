import { msFromIso } from '../../domain/clock.js';
import { isOutageCode } from '../../domain/health/health.js';
import { agreeing, countOf } from '../../domain/text/count-of.js';
import { inWords } from '../../domain/text/duration-words.js';
import { visibleStrings } from '../../domain/text/visible-text.js';
import { CUT_LINE, clip, textTable } from '../text/layout.js';
import { localTime } from '../text/local-time.js';
import { unmatchedText } from '../words/file-words.js';
import { findingText } from '../words/health-words.js';
import { terms } from '../words/terms.js';
import { inTimeWords, queueWords } from './delivery-estimate.js';
import { outageLines } from './outages.js';
import type { Status } from './status.js';

/** The most of each kind, so that all fits one screen; the report and the document have all of them. */
const MAX = { causes: 5, files: 3, commands: 3, unmatched: 5, runs: 3 } as const;

/** The most characters of a reason or a remedy: two lines of most terminals. */
const MAX_TEXT_CHARS = 130;

/** The status for a terminal: one screen in an ordinary workspace. Ends with a newline. */
export function renderStatus(raw: Status, columns: number | null = null): string {
  const status = visibleStrings(raw);
  const sections: readonly (readonly string[])[] = [
    [...status.environments.flatMap(environmentLines), ...status.stranded.map(strandedText)],
    ...status.outages.map(outageLines),
    ...otherFindings(status).map((finding) => [findingText(finding)]),
    attentionLines(status),
    status.unknownLearners.map(unknownText),
    ...status.decisions.map(({ decision, kind, who, madeAt, remedy }) => [
      `Decision ${decision}, ${kind} of ${who} at ${localTime(madeAt)}, isn't finished. ${remedy}`,
    ]),
    refusedLines(status),
    status.unmatched.length > 0 ? [unmatchedText(status.unmatched, MAX.unmatched)] : [],
    alertLines(status),
    remoteLines(status, columns),
    resultLines(status),
    scheduleLines(status, columns),
    runLines(status, columns),
  ];
  const shown = sections.filter(({ length }) => length > 0);
  return `${shown.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function environmentLines(status: Status['environments'][number]): string[] {
  const { environment, waiting, quota } = status;
  const shared = quota.sharedWith.length === 0 ? '' : `, shared with ${quota.sharedWith.join(', ')}`;
  const paused = quota.pausedForMs > 0 ? `, paused for ${inWords(quota.pausedForMs)} after a 429` : '';
  const use = `Quota ${quota.permits} of ${quota.allowed} in use${shared}${paused}.`;
  if (waiting === 0) return [`${environment}: no rows waiting. ${use}`];
  const inTime = inTimeWords(status);
  return [`${queueWords(status)} ${use}`, ...(inTime === null ? [] : [`  ${inTime}`])];
}

function strandedText(stranded: Status['stranded'][number]): string {
  return queueWords({ ...stranded, estimatedMs: null, estimatedEnd: null, pushedBy: null });
}

/** The findings of health that no other section shows in more detail. */
function otherFindings({ health }: Status): Status['health']['findings'] {
  return health.findings.filter(
    ({ part, code }) =>
      !['decision', 'channel'].includes(part) &&
      !['file-unmatched', 'file-refused'].includes(code) &&
      !isOutageCode(code),
  );
}

/** Empty where all that needs attention is named above. */
function attentionLines({ attention, health, refusedFiles, unmatched }: Status): string[] {
  if (attention.length === 0) {
    if (refusedFiles.length + unmatched.length > 0) return ['No rows need attention, but these files do:'];
    return health.state === 'healthy' ? ['Nothing needs attention.'] : [];
  }
  const width = Math.max(...attention.map(({ count }) => String(count).length));
  // Causes with one remedy are together above it.
  const groups = new Map<string, string[]>();
  for (const cause of attention.slice(0, MAX.causes)) {
    const { count, state, code, reason } = cause;
    const step = toDo(cause, ' '.repeat(width + 1)).join('\n');
    const line = clip(`${String(count).padStart(width)} ${state} ${code}: ${reason}`, CUT_LINE);
    groups.set(step, [...(groups.get(step) ?? []), line]);
  }
  const more = attention.length - MAX.causes;
  return [
    'Needs attention (details: registrar report):',
    ...[...groups].flatMap(([step, lines]) => [...lines, step]),
    ...(more > 0 ? [`… and ${countOf(more, 'more cause')}`] : []),
  ];
}

/** The commands that resolve the cause, never cut; else its remedy in words, and the command that takes the rows off this list. */
function toDo({ commands, files, remedy, choices }: Status['attention'][number], indent: string): string[] {
  const shown = commands.slice(0, MAX.commands);
  const more = commands.length > 1 ? files - shown.length : 0;
  const off = choices.find((choice) => choice.remedy.action === 'dismiss');
  if (shown.length === 0) {
    const words = clip(remedy, MAX_TEXT_CHARS);
    return [`${indent}${words}`, ...(off === undefined ? [] : [`${indent}${off.when}: ${off.command}`])];
  }
  return [
    ...shown.map((command) => `${indent}> ${command}`),
    ...(more > 0 ? [`${indent}… and for ${countOf(more, 'more file')}`] : []),
  ];
}

function unknownText(unknown: Status['unknownLearners'][number]): string {
  const { environment, learners, rows, nextRecheck } = unknown;
  const next = nextRecheck === null ? 'no recheck is left' : `next recheck ${localTime(nextRecheck)}`;
  return `${environment} doesn't know ${countOf(learners, 'learner')} (${countOf(rows, 'row')}); ${next}`;
}

function refusedLines({ refusedFiles }: Status): string[] {
  if (refusedFiles.length === 0) return [];
  const shown = refusedFiles.slice(0, MAX.files);
  const more = refusedFiles.length - shown.length;
  return [
    'Refused files: correct them, then drop them again (reason in NAME.reason.txt):',
    ...shown.map(({ drop, source, file, refusal }) =>
      clip(`drop ${drop}, rejected/${source}/${file}: ${refusal}`, MAX_TEXT_CHARS),
    ),
    ...(more > 0 ? [`… and ${countOf(more, 'more file')}, in rejected/`] : []),
    ...shown.map(({ command }) => `If its rows are not needed: ${command}`),
  ];
}

/** Without channels, the causes of alerts are in the sections above. */
function alertLines({ alerts: { channels, open, failing } }: Status): string[] {
  if (channels === 0) return [];
  return [
    ...(open === 0 ? [] : [`${countOf(open, 'alert is', 'alerts are')} open: registrar alerts`]),
    ...failing.flatMap(({ channel, since, error, command }) => [
      `Alert channel ${channel} has failed since ${localTime(since)}: it ${error}.`,
      `> ${command}`,
    ]),
  ];
}

function remoteLines({ remoteInboxes }: Status, columns: number | null): string[] {
  if (remoteInboxes.length === 0) return [];
  const time = (iso: string | null) => (iso === null ? '-' : localTime(iso));
  const rows = remoteInboxes.map(({ source, lookedAt, fetchedAt, waiting, oldestAt, awaySince }) => [
    ...[source, time(lookedAt), time(fetchedAt), waiting, time(oldestAt)],
    awaySince === null ? '-' : localTime(awaySince),
  ]);
  const heads = ['REMOTE INBOX', 'CHECKED', 'LAST FILE', 'WAITING', 'OLDEST', 'AWAY SINCE'];
  return [textTable(heads, rows, columns)];
}

/** Results that wait; health shows why the others can't be delivered. */
function resultLines({ results }: Status): string[] {
  return results
    .filter(({ waiting, failing }) => waiting > failing)
    .map(({ source, place, waiting, moving, failing }) => {
      const count = waiting - failing;
      const later = moving === 0 ? '' : `, ${moving} of them until rows are sent`;
      return `${countOf(count, 'result')} of ${source} ${agreeing(count, 'waits', 'wait')} for ${place}${later}.`;
    });
}

function scheduleLines({ schedule }: Status, columns: number | null): string[] {
  if (schedule.length === 0) return [];
  const time = (iso: string | null) => (iso === null ? '-' : localTime(iso));
  const rows = schedule.map(({ job, slotAt, ending, nextAt }) => [
    ...[job, time(slotAt)],
    ...[ending ?? (slotAt === null ? '-' : 'not ended'), time(nextAt)],
  ]);
  return [textTable(['SCHEDULED', 'LAST', 'ENDED', 'NEXT'], rows, columns)];
}

function runLines({ runs }: Status, columns: number | null): string[] {
  if (runs.length === 0) return [];
  const lines = runs
    .slice(0, MAX.runs)
    .map(({ runId, trigger, startedAt, endedAt, end, files, requests, rows }) => [
      ...[runId, terms().triggers[trigger], localTime(startedAt)],
      endedAt === null ? '-' : inWords(msFromIso(endedAt) - msFromIso(startedAt)),
      ...[end ?? 'not ended', files, rows, requests],
    ]);
  const heads = ['RUN', 'TRIGGER', 'STARTED', 'TOOK', 'ENDED', 'FILES', 'ROWS', 'REQUESTS'];
  return [textTable(heads, lines, columns)];
}
