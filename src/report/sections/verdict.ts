import { type Verdict, verdictOf } from '../../domain/health/verdict.js';
import { agreeing, countOf } from '../../domain/text/count-of.js';
import { countSubmissions, countWaitingRows, elsewhereWords, type Report } from '../report.js';
import { queueWords } from '../status/delivery-estimate.js';
import { lastingOutages, outageSubject } from '../status/outages.js';
import { counted } from '../text/counted.js';
import { sentence } from '../text/sentence.js';
import { type Figure, type Piece, plainText } from './section.js';

/** The outcome in a word, which decides colour and sign. */
export function reportVerdict(report: Report): Verdict {
  return verdictOf({
    isBalanced: report.balanced,
    isFailed: lastingOutages(report).length > 0,
    attention: report.attention + (report.unmatched ?? []).length,
    waiting: countWaitingRows(report),
    isEmpty: report.rows === 0 && countSubmissions(report) === 0 && report.files.length === 0,
  });
}

export const GLYPHS: Readonly<Record<Verdict, string>> = {
  well: '✓',
  waiting: '…',
  attention: '!',
  failed: '⊘',
  unbalanced: '✕',
  nothing: '–',
};

/** The report in one sentence or two, the same wherever it is shown. */
export function headline(report: Report): readonly Piece[] {
  const { states, attention } = report;
  const waiting = countWaitingRows(report);
  const rest = waiting > 0 ? `, ${counted(waiting, 'row')} waiting` : '';
  const accepted = [{ figure: 'states.accepted', value: states.accepted, noun: 'row' }, ' accepted'];
  const nothing: Figure = { figure: 'attention', value: 0, word: 'Nothing' };
  const allClear = [nothing, `${elsewhereWords(report) === null ? '' : ' new'} needs attention.`];
  const needs = needing({ rows: report.attentionRows, files: report.attentionFiles });
  switch (reportVerdict(report)) {
    case 'unbalanced':
      return [UNBALANCED];
    case 'nothing':
      return ['No new files. ', ...allClear];
    case 'well':
      return [...(states.accepted > 0 ? [...accepted, '. '] : ['Nothing new to send. ']), ...allClear];
    case 'failed':
      return [
        ...unusable(report),
        ...(states.accepted > 0 ? ['; ', ...accepted] : []),
        ...(attention > 0 ? ['; ', ...needs] : []),
        '.',
      ];
    case 'waiting':
      return [...accepted, `${rest}. `, ...allClear];
    case 'attention': {
      const files = report.unmatched?.length ?? 0;
      const what = attention === 0 ? [`${counted(files, 'file')} not imported`] : needs;
      return [...accepted, `${rest}, `, ...what, '.'];
    }
  }
}

export function headlineText(report: Report): string {
  return plainText(headline(report));
}

/** What comes first where the books don't balance. */
export const UNBALANCED = 'The books don’t balance: don’t rely on the figures below.';

/** "12 rows and 1 file need attention". Counts rows and files apart, because a file is not a row. */
export function needing({ rows, files }: Readonly<Record<'rows' | 'files', number>>): readonly Piece[] {
  return [
    ...(rows > 0 ? [{ figure: 'attentionRows', value: rows, noun: 'row' }] : []),
    ...(rows > 0 && files > 0 ? [' and '] : []),
    ...(files > 0 ? [{ figure: 'attentionFiles', value: files, noun: 'file' }] : []),
    ` ${agreeing(rows + files, 'needs', 'need')} attention`,
  ];
}

function unusable(report: Report): readonly Piece[] {
  const [first, ...others] = lastingOutages(report);
  const all = [first, ...others].map((outage) => outage?.waiting ?? 0);
  const waiting = all.reduce((sum, rows) => sum + rows, 0);
  const subject =
    first === undefined || others.length > 0
      ? `${countOf(all.length, 'environment or operation', 'environments or operations')} ${agreeing(all.length, 'is', 'are')} unavailable`
      : sentence(outageSubject(first)).slice(0, -1);
  const wait = `${agreeing(waiting, ' row waits', ' rows wait')} for ${agreeing(all.length, 'it', 'them')}`;
  return [`${subject}, and `, { figure: 'outages.waiting', value: waiting }, wait];
}

/** What follows the headline where the books balance: what was read, what else needs attention, who delivers what waits. */
export function accounts(report: Report): readonly string[] {
  const { files, rows, waiting } = report;
  const published = files.filter(({ state }) => state === 'published').length;
  const elsewhere = elsewhereWords(report);
  return [
    published === 0
      ? 'No new file was imported.'
      : `Each of the ${counted(rows, 'row')} read from ${counted(published, 'file')} is accounted for.`,
    ...(elsewhere === null ? [] : [elsewhere]),
    ...waiting.map(queueWords),
  ];
}
