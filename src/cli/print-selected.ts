import { type Obstacle, rerunOutlook } from '../decisions/rerun-outlook.js';
import { countOf } from '../domain/count-of.js';
import type { State } from '../domain/submission.js';
import { visibleText } from '../domain/visible-text.js';
import type { RefusedDrop } from '../ledger/refused-drops.js';
import type { Selected } from '../ledger/selection.js';
import { estimatedMs, inWords } from '../report/estimate.js';
import { textTable } from '../report/text-table.js';
import { type CommonOptions, type Io, show, widthOf } from './io.js';
import type { Session } from './session.js';

/** What a person asked to see of the rows a decision would be about. */
export interface SelectionShown {
  readonly dryRun: boolean;
  readonly selected: readonly Selected[];
  /** Rows named by number that can't be selected in their state. */
  readonly leftOut: readonly { readonly submissionId: number; readonly state: State }[];
}

/** Rows on the screen; the document has all. */
const MOST_SHOWN = 50;

/** Rows of the document written at a time, so that it needn't fit in memory as one text. */
const PIECE_ROWS = 1_000;

/** Prints rows that a rerun would send: with what it would override, and what would go first or not at all. */
export function printForRerun(
  io: Io,
  options: CommonOptions,
  { ledger, config }: Session,
  shown: SelectionShown,
): void {
  const obstacles = rerunOutlook(ledger, shown.selected);
  const sent = shown.selected.filter(({ submissionId }) => obstacles.get(submissionId)?.kind !== 'replaced');
  const environments = [...counted(sent.map(({ environment }) => environment))].map(([name, requests]) => {
    const environment = config.environments[name];
    return {
      environment: name,
      requests,
      estimatedMs: environment ? estimatedMs(requests, environment) : null,
    };
  });
  const overrides = Object.fromEntries(
    counted(shown.selected.flatMap(({ state, code }) => (state === 'held' ? [code] : []))),
  );
  if (options.json) {
    const head = { dryRun: shown.dryRun, requests: sent.length, environments, overrides };
    printDocument(io, shown, head, (row) => ({
      ...row,
      replacedBy: replacedBy(obstacles.get(row.submissionId)),
      behind: behind(obstacles.get(row.submissionId)),
    }));
    return;
  }
  if (options.quiet) return;
  const waiting = [...obstacles.values()].filter(({ kind }) => kind === 'behind').length;
  const replaced = shown.selected.length - sent.length;
  const note = (row: Selected) => noteOn(row, obstacles.get(row.submissionId));
  const lines = [
    ...environments.map(
      ({ environment, requests, estimatedMs: ms }) =>
        `${countOf(requests, 'request')} to ${environment}, ${ms === null ? "which registrar.yaml doesn't have" : `some ${inWords(ms)} at its quota`}.`,
    ),
    ...Object.entries(overrides).map(([code, rows]) => `${rows} held as ${code} would be let pass, once.`),
    ...(waiting > 0
      ? [
          `${waiting} would go after one of the same learner and content that waits already: that one is sent as well.`,
        ]
      : []),
    ...(replaced > 0 ? [`${replaced} would not be sent, because a newer revision takes their place.`] : []),
  ];
  printText(io, shown, 'sent', note, lines);
}

/** Prints rows and set-aside files that would be dismissed. */
export function printForDismissal(
  io: Io,
  options: CommonOptions,
  shown: SelectionShown,
  files: readonly RefusedDrop[],
): void {
  if (options.json) {
    printDocument(io, shown, { dryRun: shown.dryRun, files: files.map(fileDocument) }, (row) => row);
    return;
  }
  if (options.quiet) return;
  for (const file of files) io.out(`${fileText(file)} would be dismissed: its rows have not come in.\n`);
  if (files.length === 0 || shown.selected.length > 0) printText(io, shown, 'dismissed', () => '', []);
}

/** A set-aside file as documents name it. */
export function fileDocument({ dropId, source, file }: RefusedDrop) {
  return { drop: dropId, source, file };
}

/** The same for people. */
export function fileText({ dropId, source, file }: RefusedDrop): string {
  return visibleText(`Drop ${dropId}, rejected/${source}/${file},`);
}

function printDocument(
  io: Io,
  { selected, leftOut }: SelectionShown,
  head: Readonly<Record<string, unknown>>,
  rowDocument: (row: Selected) => unknown,
): void {
  const opening = JSON.stringify({ ...head, count: selected.length, leftOut }, null, 2).slice(0, -2);
  io.out(`${opening},\n  "selected": [`);
  for (let start = 0; start < selected.length; start += PIECE_ROWS) {
    const rows = selected.slice(start, start + PIECE_ROWS).map((row) => JSON.stringify(rowDocument(row)));
    io.out(`${start === 0 ? '' : ','}\n    ${rows.join(',\n    ')}`);
  }
  io.out(`${selected.length === 0 ? '' : '\n  '}]\n}\n`);
}

function printText(
  io: Io,
  { selected, leftOut, dryRun }: SelectionShown,
  outlook: string,
  note: (row: Selected) => string,
  lines: readonly string[],
): void {
  const out = leftOut.map(({ submissionId, state }) => `#${submissionId} is ${state}, and is left out.`);
  if (selected.length === 0) {
    io.out(`${[...out, 'No row fits.'].join('\n')}\n`);
    return;
  }
  const table = textTable(
    ['ROW', 'STATE', 'CODE', 'FROM', 'NOTE'],
    selected
      .slice(0, MOST_SHOWN)
      .map((row) => [row.submissionId, row.state, row.code, `${row.file}:${row.line}`, note(row)]),
    widthOf(io),
  );
  const causes = counted(selected.map(({ state, code }) => `${state} ${code}`));
  const sections = [
    ...out,
    table,
    ...(selected.length > MOST_SHOWN
      ? [
          `… and ${selected.length - MOST_SHOWN} more (--json has all), by cause:`,
          ...[...causes].map(([cause, rows]) => `${String(rows).padStart(10)}  ${visibleText(cause)}`),
        ]
      : []),
    ...(dryRun ? [`${selected.length} would be ${outlook}. Nothing was changed.`, ...lines] : []),
  ];
  show(io, `${sections.join('\n')}\n`);
}

function noteOn({ state, code }: Selected, obstacle: Obstacle | undefined): string {
  if (obstacle?.kind === 'replaced') return `not sent: #${obstacle.by} is newer`;
  if (obstacle?.kind === 'behind') return `after #${obstacle.id}`;
  return state === 'held' ? `overrides ${code}` : '';
}

function replacedBy(obstacle: Obstacle | undefined): number | null {
  return obstacle?.kind === 'replaced' ? obstacle.by : null;
}

function behind(obstacle: Obstacle | undefined): number | null {
  return obstacle?.kind === 'behind' ? obstacle.id : null;
}

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
