import { DISPOSITIONS, dataRows } from '../../domain/row.js';
import { STATES } from '../../domain/submission.js';
import type { DropSummary } from '../../ledger/books/files/drop-list.js';
import type { Report } from '../report.js';
import { commandLine } from '../text/command-line.js';
import { clip } from '../text/layout.js';
import { changedWords } from '../words/file-words.js';
import { sheetWords, statedZoneWords } from '../words/sheet-words.js';
import { code, countsOf, type Item, name, type RichText, type Section } from './section.js';

/** The most characters of the reason beside a file; `rejected/` has all of it. */
const MAX_REFUSAL_CHARS = 500;

/** The most files on a page; a report over years may have more. */
export const MAX_FILES = 150;

/** Every file with the dispositions of its rows and their present states. Refused files come first, with the reason. */
export function files(report: Report): Section {
  const others = report.files.filter(({ state }) => state !== 'refused');
  const notes = others.map((file) => (file.state === 'staging' ? 'being staged' : fileNotes(file)));
  const hasNotes = notes.some((note) => note !== '');
  return {
    id: 'files',
    title: 'Files',
    items: report.files.filter(({ state }) => state === 'refused').map(refused),
    tables: [
      {
        caption: 'Rows of each file by result, and their submissions by state',
        columns: [
          { title: 'File' },
          { title: 'Source' },
          { title: 'Rows', isNumber: true },
          { title: 'Result' },
          { title: 'Submissions' },
          ...(hasNotes ? [{ title: 'Note' }] : []),
        ],
        look: 'files',
        maxRows: MAX_FILES,
        rows: others.map((file, index) => ({
          drop: file.drop,
          cells: [
            name(file.file),
            `${file.source}, drop ${file.drop}`,
            file.rows ?? 0,
            countsOf('dispositions', DISPOSITIONS, file.dispositions),
            countsOf('states', STATES, file.states),
            ...(hasNotes ? [notes[index] ?? ''] : []),
          ],
        })),
      },
    ],
  };
}

function fileNotes(file: DropSummary): string {
  const { repeatedArrivals: again } = file;
  const zone = statedZoneWords(file.zones);
  const isEmpty = file.state === 'published' && file.isTaken && dataRows(file.dispositions) === 0;
  return [
    ...(isEmpty ? ['the file holds no rows, at most a header'] : []),
    ...sheetWords(file),
    ...(zone === null ? [] : [zone]),
    ...(again > 0 ? ['same file again: nothing new'] : []),
    ...changedWords(file),
  ].join('; ');
}

function refused({ file, source, refusal, drop, closure }: DropSummary): Item {
  return {
    chip: { text: 'refused', tone: closure === null ? 'bad' : 'good' },
    lead: name(file),
    text: `of source ${source}: ${clip(refusal ?? '', MAX_REFUSAL_CHARS)}`,
    note: closed(drop, source, closure),
  };
}

/** How a refused file was closed. The operator's reason is left out, because it may name a person. */
function closed(drop: number, source: string, closure: DropSummary['closure']): RichText {
  if (closure?.kind === 'came-in') return `Its rows were imported later, with drop ${closure.drop}.`;
  if (closure !== null) return `It was dismissed, by decision ${closure.decision}.`;
  return [
    ...['It is in ', code(`rejected/${source}/`), '. It is listed until its rows are '],
    ...['imported or ', code(commandLine({ action: 'dismiss', drop })), ' closes it.'],
  ];
}
