import { msFromIso } from '../../domain/clock.js';
import { isOutageCode } from '../../domain/health/judge-delivery.js';
import { agreeing, countOf } from '../../domain/text/count-of.js';
import { inWords } from '../../domain/text/duration-words.js';
import { visibleStrings } from '../../domain/text/visible-text.js';
import { cutLine, textTable, wrapText } from '../text/layout.js';
import { localTime } from '../text/local-time.js';
import { untakenText } from '../words/file-words.js';
import { findingText } from '../words/health-words.js';
import { TRIGGER_WORDS } from '../words/trigger-words.js';
import { inTimeWords } from './delivery-estimate.js';
import { outageText } from './outages.js';
import { scheduleText } from './schedule.js';
import type { Status } from './status.js';

/** The most causes, files and decisions, so that they fit one screen; the report and the document have all of them. */
const MOST_CAUSES = 5;
const MOST_FILES = 3;

/** The most commands for one cause: where rows are read again, each file has its own command. */
const MOST_COMMANDS = 3;

/** The most files that no source takes. */
const MOST_UNTAKEN = 5;

/** The most lines of a file's reason; the whole reason lies beside the file. */
const MOST_LINES = 2;

/** The most runs on the screen. */
const MOST_RUNS = 3;

/** How things stand, for a person at a terminal: one screen in an ordinary workspace. Ends with a newline. */
export function renderStatus(read: Status, columns: number | null = null): string {
  const status = visibleStrings(read);
  const sections = [
    [...status.environments.map(environmentText), ...status.stranded.map(strandedText)].join('\n'),
    ...status.outages.map((outage) =>
      [outageText(outage), `> ${outage.remedy}`].map((text) => wrapText(text)).join('\n'),
    ),
    ...healthLines(status),
    ...attentionText(status),
    ...unknownText(status),
    ...status.decisions.map(({ decision, kind, who, madeAt, remedy }) =>
      wrapText(`Decision ${decision}, ${kind} of ${who} at ${shortTime(madeAt)}, isn't done. ${remedy}`),
    ),
    ...setAsideText(status),
    ...(status.untaken.length > 0 ? [untakenText(status.untaken, 'now', MOST_UNTAKEN)] : []),
    ...alertsText(status),
    ...scheduleText(status.schedule, columns),
    ...runsText(status, columns),
  ];
  return `${sections.join('\n\n')}\n`;
}

function environmentText(status: Environment) {
  const { environment, waiting, estimatedMs, estimatedEnd, quota, pushedBy } = status;
  const shared = quota.sharedWith.length === 0 ? '' : `, shared with ${quota.sharedWith.join(', ')}`;
  const paused = quota.pausedForMs > 0 ? `, paused for ${inWords(quota.pausedForMs)} after a 429` : '';
  const use = `quota ${quota.permits} of ${quota.allowed} in use${shared}${paused}`;
  const by =
    pushedBy === null ? '' : `process ${pushedBy.pid} delivers${pushedBy.takesAll ? '' : ' a rerun alone'}; `;
  if (waiting === 0) return wrapText(`${environment}: nothing waits; ${by}${use}`);
  const rows = `${countOf(waiting, 'row')} ${agreeing(waiting, 'waits', 'wait')}`;
  const end =
    estimatedEnd === null
      ? `${inWords(estimatedMs)} of delivering once it can be used`
      : `${inWords(estimatedMs)} of delivering (${localTime(estimatedEnd)})`;
  const inTime = inTimeWords(status);
  const whether = inTime === null ? '' : `  ${inTime}\n`;
  return `${environment}: ${rows}, ${end}\n${whether}${wrapText(`  ${by || 'nobody delivers now; '}${use}`)}`;
}

type Environment = Status['environments'][number];

function strandedText({ environment, waiting }: Status['stranded'][number]): string {
  return `${environment}: ${countOf(waiting, 'row')} ${agreeing(waiting, 'waits', 'wait')}, but registrar.yaml doesn't have this environment (any more).`;
}

/** The findings of health that no other section tells in more detail. */
function healthLines({ health }: Status): string[] {
  const shown = health.findings.filter(
    ({ part, code }) =>
      !['decision', 'channel'].includes(part) &&
      !['file-unmatched', 'file-refused'].includes(code) &&
      !isOutageCode(code),
  );
  return shown.map((finding) => wrapText(findingText(finding)));
}

/** Empty where all that needs attention is named above. */
function attentionText({ attention, health, setAside, untaken }: Status): string[] {
  if (attention.length === 0) {
    if (setAside.length + untaken.length > 0) return ['No rows need attention, but these files do:'];
    return health.state === 'healthy' ? ['Nothing needs attention.'] : [];
  }
  const width = Math.max(...attention.map((row) => String(row.count).length));
  // Causes with one remedy stand together above it.
  const groups = new Map<string, string[]>();
  for (const row of attention.slice(0, MOST_CAUSES)) {
    const step = toDo(row, ' '.repeat(width + 1)).join('\n');
    const line = cutLine(`${String(row.count).padStart(width)} ${row.state} ${row.code}: ${row.reason}`);
    groups.set(step, [...(groups.get(step) ?? []), line]);
  }
  const lines = [...groups].flatMap(([step, causes]) => [...causes, step]);
  const more = attention.length - MOST_CAUSES;
  return [
    [
      'Needs attention (details: registrar report):',
      ...lines,
      ...(more > 0 ? [`… and ${more} more ${agreeing(more, 'cause', 'causes')}`] : []),
    ].join('\n'),
  ];
}

/**
 * The commands that mend the cause; else its remedy in words, and the command that takes the rows off this list as they
 * are.
 */
function toDo({ commands, files, remedy, choices }: Status['attention'][number], indent: string): string[] {
  // A command is never cut: it is to be copied.
  const shown = commands.slice(0, MOST_COMMANDS).map((command) => `${indent}> ${command}`);
  const more = commands.length > 1 ? files - shown.length : 0;
  if (shown.length > 0) {
    return [
      ...shown,
      ...(more > 0 ? [`${indent}… and for ${more} more ${agreeing(more, 'file', 'files')}`] : []),
    ];
  }
  const off = choices.find((choice) => choice.remedy.action === 'dismiss');
  return [
    wrapText(`${indent}${remedy}`, indent, MOST_LINES),
    ...(off === undefined ? [] : [`${indent}${off.when}: ${off.command}`]),
  ];
}

function unknownText({ unknownLearners }: Status): string[] {
  if (unknownLearners.length === 0) return [];
  const lines = unknownLearners.map(({ environment, learners, rows, nextRecheck, spent }) => {
    const next = nextRecheck === null ? 'no recheck is left' : `next recheck ${shortTime(nextRecheck)}`;
    const out = nextRecheck !== null && spent > 0 ? `, none left for ${spent}` : '';
    return `${environment} doesn't know ${countOf(learners, 'learner')} (${countOf(rows, 'row')}); ${next}${out}`;
  });
  return [lines.join('\n')];
}

function setAsideText({ setAside }: Status): string[] {
  if (setAside.length === 0) return [];
  const shown = setAside.slice(0, MOST_FILES);
  const lines = shown.map(({ drop, source, file, refusal }) =>
    wrapText(`drop ${drop}, rejected/${source}/${file}: ${refusal}`, '  ', MOST_LINES),
  );
  const more = setAside.length - MOST_FILES;
  return [
    [
      'Refused files: correct them, then drop them again (reason in NAME.reason.txt):',
      ...lines,
      ...(more > 0 ? [`… and ${more} more ${agreeing(more, 'file', 'files')}, in rejected/`] : []),
      ...shown.map(({ command }) => `If its rows are not needed: ${command}`),
    ].join('\n'),
  ];
}

/** Without channels, what opens an alert stands in the sections above. */
function alertsText({ alerts: { channels, open, closing, failing } }: Status): string[] {
  if (channels === 0) return [];
  const some = closing === open ? 'not seen any more' : `${closing} of them not seen any more`;
  const over = closing === 0 ? '' : `, ${some}`;
  const lines = [
    ...(open === 0 ? [] : [`${countOf(open, 'alert is', 'alerts are')} open${over}: registrar alerts`]),
    ...failing.flatMap(({ channel, since, error, command }) => [
      wrapText(`Alert channel ${channel} doesn't work since ${shortTime(since)}: it ${error}.`),
      `> ${command}`,
    ]),
  ];
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function runsText({ runs }: Status, columns: number | null): string[] {
  if (runs.length === 0) return [];
  return [
    textTable(
      ['RUN', 'STARTED', 'BEGAN', 'TOOK', 'ENDED', 'FILES', 'ROWS', 'REQUESTS'],
      runs
        .slice(0, MOST_RUNS)
        .map(({ runId, trigger, startedAt, endedAt, end, files, rows, requests }) => [
          runId,
          TRIGGER_WORDS[trigger],
          localTime(startedAt),
          endedAt === null ? '-' : inWords(msFromIso(endedAt) - msFromIso(startedAt)),
          end ?? 'not ended',
          files,
          rows,
          requests,
        ]),
      columns,
    ),
  ];
}

function shortTime(iso: string): string {
  return localTime(iso);
}
