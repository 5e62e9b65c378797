import type { EquationName } from '../domain/balance/equations.js';
import { DISPOSITIONS } from '../domain/row.js';
import { STATES } from '../domain/submission.js';
import { ALTERATION_KINDS } from '../domain/text/alteration.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import { visibleStrings } from '../domain/text/visible-text.js';
import { leftOutWords } from './left-out.js';
import { countSubmissions, countWaitingRows, elsewhereWords, type Report } from './report.js';
import { lastingOutages, outageSubject, outageText } from './status/outages.js';
import { queueWords } from './status/queue.js';
import { commandLine } from './text/command-line.js';
import { clip, textTable, wrapText } from './text/layout.js';
import { causeAdvice } from './words/cause-advice.js';
import { causeGroups } from './words/cause-groups.js';
import { fileNotes } from './words/file-notes.js';
import { closureText, otherNames, untakenText } from './words/file-words.js';
import { ALTERATION_WORDS } from './words/notice-words.js';

/**
 * The report for a person at a terminal: a verdict, two sums that add up, files, causes. Ends with a newline.
 * @param columns the width of the terminal; null for a file.
 */
export function renderTerminal(read: Report, columns: number | null = null): string {
  const report = visibleStrings(read);
  const sections = [verdict(report), ...outages(report), funnel(report), books(report, columns)];
  if (report.files.length > 0) sections.push(files(report, columns));
  if (report.causes.length > 0) sections.push(causes(report, columns));
  const untaken = untakenText(report.untaken ?? [], 'when this report was made');
  if (untaken !== '') sections.push(untaken);
  if (report.notices.length > 0) sections.push(notices(report));
  if (report.leftOut.length > 0) sections.push(leftOut(report));
  if (report.altered.shown.length > 0) sections.push(altered(report, columns));
  for (const wrong of report.imbalances) {
    sections.push(
      [
        `NOT BALANCED: ${wrong.equation} ${wrong.subject}: ${wrong.expected} expected, ${wrong.found} found`,
        ...wrong.examples.map((example) => `  ${example}`),
      ].join('\n'),
    );
  }
  return `${sections.join('\n\n')}\n`;
}

function verdict(report: Report): string {
  if (!report.balanced)
    return "The books don't balance. Nothing below can be relied on; keep the ledger as it is.";
  const accepted = report.states.accepted;
  const waiting = countWaitingRows(report);
  const parts = [`${countOf(accepted, 'submission')} accepted`];
  if (waiting > 0) parts.push(`${countOf(waiting, 'row')} still ${agreeing(waiting, 'waits', 'wait')}`);
  parts.push(...lastingOutages(report).map(outageSubject), ...needsAttention(report));
  const elsewhere = elsewhereWords(report);
  return [
    `The books balance: ${parts.join(', ')}.`,
    ...(elsewhere === null ? [] : [elsewhere]),
    ...waitingLines(report),
  ].join('\n');
}

/** Counts rows and files apart, because a file is not a row. Empty where nothing but an outage needs somebody. */
function needsAttention(report: Report): string[] {
  const { attentionRows: rows, attentionFiles: files } = report;
  const untaken = report.untaken?.length ?? 0;
  const parts = [...(rows > 0 ? [countOf(rows, 'row')] : []), ...(files > 0 ? [countOf(files, 'file')] : [])];
  const needs = [
    ...(parts.length > 0
      ? [`${parts.join(' and ')} ${agreeing(rows + files, 'needs', 'need')} attention`]
      : []),
    ...(untaken > 0 ? [`${countOf(untaken, 'file')} not taken by any source`] : []),
  ];
  if (needs.length > 0 || lastingOutages(report).length > 0) return needs;
  return [elsewhereWords(report) === null ? 'nothing needs attention' : 'nothing new needs attention'];
}

/** The rows that wait, who delivers them, and how many of them came in before the run that the report is about. */
function waitingLines({ selection, waiting, states }: Report): string[] {
  const total = waiting.reduce((sum, queue) => sum + queue.waiting, 0);
  const earlier = total - states.waiting;
  return [
    ...waiting.map(queueWords),
    ...(selection.runId !== undefined && earlier > 0 && total > 0
      ? [
          `${earlier === total ? agreeing(total, 'It was', 'All were') : `${earlier} of them were`} staged by earlier runs.`,
        ]
      : []),
  ];
}

/** The outages, before all numbers: until they are mended the numbers don't change. */
function outages(report: Report): string[] {
  return lastingOutages(report).map((outage) =>
    [outageText(outage), `> ${outage.remedy}`].map((text) => wrapText(text)).join('\n'),
  );
}

function funnel(report: Report): string {
  const submissions = countSubmissions(report);
  const { attempts } = report;
  return [
    sum(
      'rows read',
      report.rows,
      DISPOSITIONS.map((name) => [name, report.dispositions[name]]),
    ),
    sum(
      'submissions',
      submissions,
      STATES.map((name) => [name, report.states[name]]),
    ),
    sum('requests', attempts.total, [
      ['answered', attempts.responses],
      ['without answer', attempts.noResponses],
      ['open', attempts.open],
    ]),
    `              ${attempts.throttled} throttled (429), ${attempts.repeats} sent again although the first may have arrived`,
    ...existing(report),
  ].join('\n');
}

function sum(title: string, total: number, parts: readonly (readonly [string, number])[]): string {
  const shown = parts.filter(([, value]) => value > 0).map(([name, value]) => `${value} ${name}`);
  return `${title.padEnd(12)}  ${total} = ${shown.length > 0 ? shown.join(' + ') : '0'}`;
}

/**
 * The sums that must agree, side by side. The sums of each drop are in the JSON document; the sum of requests is printed
 * above.
 */
function books({ equations }: Report, columns: number | null): string {
  const sums = equations.filter(({ over }) => over === 'source' || over === 'run' || over === 'overall');
  const rows = sums
    .filter(({ equation }) => equation === 'rows')
    .map(({ over, subject, left, right }) => {
      const other = (name: EquationName) =>
        sums.find((sum) => sum.over === over && sum.subject === subject && sum.equation === name);
      const both = ['submissions', 'counters', 'items'] as const;
      const counts = [
        left,
        right,
        other('found')?.right,
        other('dispositions')?.right,
        ...both.flatMap((name) => [other(name)?.left, other(name)?.right]),
      ];
      return [subject, ...counts.map((value) => value ?? 0)];
    });
  return textTable(
    [
      ...['BOOKS', 'READ', 'RECORDED', 'FOUND', 'AS RECORDED', 'SUBMISSIONS', 'IN A STATE'],
      ...['COUNTED', 'STANDING', 'OPEN ITEMS', 'OPEN'],
    ],
    rows,
    columns,
  );
}

function files(report: Report, columns: number | null): string {
  return textTable(
    ['FILE', 'SOURCE', 'ROWS', 'STAGED', 'DUPLICATE', 'SKIPPED', 'INVALID', 'ACCEPTED', 'NOTE'],
    report.files.map((file) => [
      file.file,
      file.source,
      file.rows ?? 0,
      (file.dispositions.staged ?? 0) + (file.dispositions.amended ?? 0),
      file.dispositions.duplicate ?? 0,
      file.dispositions.skipped ?? 0,
      file.dispositions.invalid ?? 0,
      file.states.accepted ?? 0,
      noteText(file),
    ]),
    columns,
  );
}

function noteText(file: Report['files'][number]): string {
  if (file.refusal !== null) return `set aside${closureText(file.closure)}: ${file.refusal}`;
  if (file.state === 'staging') return 'being staged';
  const again = file.repeatedArrivals > 0 ? [`came in again${otherNames(file)}: nothing new`] : [];
  return fileNotes(file, again);
}

function causes(report: Report, columns: number | null): string {
  return [
    textTable(
      ['COUNT', 'STATE', 'CODE', 'FOR EXAMPLE', 'CAUSE'],
      report.causes.map((cause) => [cause.count, cause.state, cause.code, cause.example, cause.reason]),
      columns,
    ),
    ...unknownLearners(report),
    '',
    'What to do:',
    ...toDo(report),
  ].join('\n');
}

/** Each remedy once, with the causes that it mends and the commands that read their files again. */
function toDo({ causes, selection }: Report): string[] {
  const codes = new Map<string, Set<string>>();
  for (const cause of causeGroups(causes)) {
    const { remedies, choices } = causeAdvice(cause, selection);
    const again = [...remedies, ...choices.map(({ remedy }) => remedy)].filter(
      ({ action }) => action === 'restage',
    );
    const more = again.length > 0 ? cause.drops.length - again.length : 0;
    const step = [
      cause.remedy,
      ...again.map((remedy) => `    > ${commandLine(remedy)}`),
      ...(more > 0 ? [`    … and for ${countOf(more, 'more file')}`] : []),
    ].join('\n');
    codes.set(step, (codes.get(step) ?? new Set()).add(cause.code));
  }
  return [...codes].map(([step, of]) => `  ${[...of].join(', ')}: ${step}`);
}

/** How many of the accepted records existed before. */
function existing({ existing: { existed, revived } }: Report): string[] {
  const parts = [
    ...(existed > 0 ? [`${existed} existed already`] : []),
    ...(revived > 0 ? [`${revived} existed already and were revived`] : []),
  ];
  return parts.length === 0 ? [] : [`              of the accepted ${parts.join(', ')}`];
}

function leftOut(report: Report): string {
  return report.leftOut.map((left) => `Left out: ${leftOutWords(left)}, such as ${left.example}.`).join('\n');
}

/** The most altered texts to compare; the JSON document and the page have more. */
const ALTERED_SHOWN = 10;

function altered({ altered: { counts, shown } }: Report, columns: number | null): string {
  const total = ALTERATION_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
  const table = textTable(
    ['ALTERED BY THE PLATFORM', 'FIELD', 'HOW', 'SENT', 'CAME BACK'],
    shown
      .slice(0, ALTERED_SHOWN)
      .map(({ file, line, field, kind, sent, returned }) => [
        `${file}:${line}`,
        field,
        ALTERATION_WORDS[kind],
        onLine(sent),
        onLine(returned),
      ]),
    columns,
  );
  return total > ALTERED_SHOWN ? `${table}\n${total} in all.` : table;
}

/** A text that may have several lines; null once erased. */
function onLine(text: string | null): string {
  return text === null ? 'erased' : clip(text.replace(/\s+/g, ' '), 40);
}

function notices(report: Report): string {
  return report.notices.flatMap(({ message, remedy }) => [`Noticed: ${message}.`, `  ${remedy}`]).join('\n');
}

/** Counts learners, because people deal with learners: one unknown learner can have many refused and held rows. */
function unknownLearners({ unknownLearners: { learners, rows } }: Report): string[] {
  if (learners === 0) return [];
  const counted = `${countOf(learners, 'learner')}, ${countOf(rows, 'row')}`;
  return ['', `Not known to the platform: ${counted}. registrar map lists them, with known ones near.`];
}
