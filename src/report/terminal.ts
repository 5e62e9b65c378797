import { capitalized, countOf } from '../domain/text/count-of.js';
import { visibleStrings } from '../domain/text/visible-text.js';
import type { Report } from './report.js';
import { files } from './sections/files.js';
import { findings } from './sections/findings.js';
import { isWhole, proof } from './sections/proof.js';
import { plainText, type Section, type Table } from './sections/section.js';
import { type Sum, totals } from './sections/totals.js';
import { accounts, headlineText } from './sections/verdict.js';
import { lastingOutages, outageLines } from './status/outages.js';
import { commandLine } from './text/command-line.js';
import { textTable } from './text/layout.js';
import { causeAdvice } from './words/cause-advice.js';

/** The report for a person at a terminal. @param columns its width; null for a file. @param workspace the folder to name in commands. */
export function renderTerminal(raw: Report, columns: number | null, workspace: string | null): string {
  // The sums of the files, six for each, are folded away.
  const report = visibleStrings({ ...raw, equations: raw.equations.filter(isWhole) });
  const { causes, balanced } = report;
  const sections = [
    [
      balanced
        ? `The books balance. ${headlineText(report)}`
        : `${headlineText(report)} Keep the ledger unchanged.`,
      ...(balanced ? accounts(report) : []),
    ].join('\n'),
    ...lastingOutages(report).map((outage) => outageLines(outage).join('\n')),
    [...totals(report).map(sumText), ...besides(report)].join('\n'),
    ...sectionText(files(report), columns),
    ...sectionText(proof(report), columns),
    ...(causes.length > 0 ? [attentionText(report, columns, workspace)] : []),
    ...findings(report).others.flatMap((section) => sectionText(section, columns)),
  ];
  return `${sections.join('\n\n')}\n`;
}

const TITLE_WIDTH = 12;

function sumText({ noun, done, total, parts }: Sum): string {
  const shown = parts.filter(({ count }) => count > 0).map(({ name, count }) => `${count} ${name}`);
  const title = `${noun}s ${done}`.trim().padEnd(TITLE_WIDTH);
  return `${title}  ${total} = ${shown.length > 0 ? shown.join(' + ') : '0'}`;
}

/** Details of the requests and the accepted submissions that the sums don't show. */
function besides({ attempts, existing: { existed, revived } }: Report): string[] {
  const indent = ' '.repeat(TITLE_WIDTH + 2);
  const before = [
    ...(existed > 0 ? [`${existed} existed already`] : []),
    ...(revived > 0 ? [`${revived} existed already and were revived`] : []),
  ];
  return [
    `${indent}${attempts.throttled} throttled (429), ${attempts.repeats} sent again although the first may have arrived`,
    ...(before.length > 0 ? [`${indent}of the accepted ${before.join(', ')}`] : []),
  ];
}

/** The most things of a section, and the most rows of a table but for that of all files; the JSON document has all of them. */
const MAX_LISTED = 20;

function sectionText({ title, items = [], tables = [] }: Section, columns: number | null): string[] {
  const more = items.length - MAX_LISTED;
  const lines = items.slice(0, MAX_LISTED).map(({ chip, lead, text, note = '' }) => {
    const about = plainText(note);
    return capitalized(
      `${chip?.text ?? title}: ${plainText(lead)} ${plainText(text)}${about === '' ? '' : ` (${about})`}`,
    );
  });
  if (more > 0) lines.push(`… and ${more} more; --json lists all`);
  const shown = tables.filter(({ isFolded = false, rows }) => !isFolded && rows.length > 0);
  return [
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    ...shown.map((table) => tableText(table, columns)),
  ];
}

/** A table of a section. @param columns how wide it may be; null: any width. */
export function tableText({ columns: heads, rows, look }: Table, columns: number | null): string {
  const shown = look === 'files' || look === 'list' ? rows : rows.slice(0, MAX_LISTED);
  return textTable(
    heads.map(({ title }) => title.toUpperCase()),
    shown.map(({ cells }) => cells.map((cell) => (typeof cell === 'number' ? cell : plainText(cell)))),
    columns,
  );
}

function attentionText(report: Report, columns: number | null, workspace: string | null): string {
  const { causes, unknownLearners } = report;
  const { learners, rows } = unknownLearners;
  // People deal with learners: one unknown learner can have many refused and held rows.
  const unknown = `Not known to the platform: ${countOf(learners, 'learner')}, ${countOf(rows, 'row')}. registrar map lists them with similar known learners.`;
  return [
    textTable(
      ['COUNT', 'STATE', 'CODE', 'FOR EXAMPLE', 'CAUSE'],
      causes.map(({ count, state, code, example, reason }) => [count, state, code, example, reason]),
      columns,
    ),
    ...(learners > 0 ? ['', unknown] : []),
    '',
    'What to do:',
    ...toDo(report, workspace),
  ].join('\n');
}

/** Each remedy once, with the causes that it resolves and the commands that read their files again. */
function toDo({ causes, selection }: Report, workspace: string | null): string[] {
  const codes = new Map<string, Set<string>>();
  for (const cause of causes) {
    const { remedies, choices } = causeAdvice({ ...cause, states: [cause] }, selection);
    const all = [...remedies, ...choices.map(({ remedy }) => remedy)];
    const again = all.filter(({ action }) => action === 'restage');
    const more = again.length > 0 ? cause.drops.length - again.length : 0;
    const step = [
      cause.remedy,
      ...again.map((remedy) => `    > ${commandLine(remedy, workspace)}`),
      ...(more > 0 ? [`    … and for ${countOf(more, 'more file')}`] : []),
    ].join('\n');
    codes.set(step, (codes.get(step) ?? new Set()).add(cause.code));
  }
  return [...codes].map(([step, of]) => `  ${[...of].join(', ')}: ${step}`);
}
