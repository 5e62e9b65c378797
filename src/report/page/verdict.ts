import { type Verdict, verdictOf } from '../../domain/health/verdict.js';
import { agreeing } from '../../domain/text/count-of.js';
import { isSetAside } from '../../ledger/books/files/drop-list.js';
import { countSubmissions, countWaitingRows, elsewhereWords, type Report } from '../report.js';
import { lastingOutages } from '../status/outages.js';
import { queueWords } from '../status/queue.js';
import { causeAdvice, KEEPER } from '../words/cause-advice.js';
import { causeId } from './causes.js';
import { MOST_SAMPLED, type PageFacts } from './facts.js';
import { type Html, html } from './html.js';
import { outageHeadline, outageNeeds } from './outages.js';
import { untakenNeed } from './untaken.js';
import { counted, figure, fileLink, wholeFigure } from './words.js';

/** The outcome in a word, which decides colour and sign. */
export function reportVerdict(report: Report): Verdict {
  return verdictOf({
    isBalanced: report.balanced,
    isFailed: lastingOutages(report).length > 0,
    attention: report.attention + (report.untaken ?? []).length,
    waiting: countWaitingRows(report),
    isEmpty: report.rows === 0 && countSubmissions(report) === 0 && report.files.length === 0,
  });
}

/** The report in one sentence, and below it who must do something. */
export function verdict({ report, causes, guideFile }: PageFacts): Html {
  return html`<h1>${headline(report)}</h1>
${guideFile === null ? '' : html`<p class="open">${fileLink(guideFile, `Open ${guideFile}: what to do, sheet by sheet`)}</p>`}
<p class="second">${second(report)}</p>
${report.balanced ? needs(report, causes) : ''}`;
}

function headline(report: Report): Html {
  const { states } = report;
  const waiting = countWaitingRows(report);
  const accepted = html`${wholeFigure('states.accepted', states.accepted, 'row')} accepted`;
  const isNew = elsewhereWords(report) === null ? '' : ' new';
  const allClear = html`<data value="0" data-figure="attention">Nothing</data>${isNew} needs attention.`;
  switch (reportVerdict(report)) {
    case 'unbalanced':
      return html`The books don’t balance: don’t rely on the figures below.`;
    case 'nothing':
      return html`No new files. ${allClear}`;
    case 'well':
      return states.accepted > 0 ? html`${accepted}. ${allClear}` : html`Nothing new to send. ${allClear}`;
    case 'failed':
      return html`${outageHeadline(report)}${states.accepted > 0 ? html`; ${accepted}` : ''}${
        report.attention > 0 ? html`; ${needing(report)}` : ''
      }.`;
    case 'waiting':
      return html`${accepted}, ${counted(waiting, 'row')} waiting. ${allClear}`;
    case 'attention': {
      const rest = waiting > 0 ? `, ${counted(waiting, 'row')} waiting` : '';
      if (report.attention === 0) {
        const files = report.untaken?.length ?? 0;
        return html`${accepted}${rest}, ${counted(files, 'file')} not picked up.`;
      }
      return html`${accepted}${rest}, ${needing(report)}.`;
    }
  }
}

/** Counts rows and files apart, because a file is not a row. */
function needing({ attentionRows: rows, attentionFiles: files }: Report): Html {
  const parts = [
    ...(rows > 0 ? [wholeFigure('attentionRows', rows, 'row')] : []),
    ...(files > 0 ? [wholeFigure('attentionFiles', files, 'file')] : []),
  ];
  return html`${parts.map((part, index) => [index === 0 ? '' : ' and ', part])} ${agreeing(rows + files, 'needs', 'need')} attention`;
}

function second(report: Report): Html {
  if (!report.balanced) {
    return html`Keep the ledger as it is, and look at <a href="#books">what differs</a>. This is damage or a fault of the program, not of the files.`;
  }
  const { files, rows, waiting } = report;
  const published = files.filter(({ state }) => state === 'published').length;
  const aside = files.filter(isSetAside).length;
  const read =
    published === 0
      ? 'No new file was read.'
      : `Each of the ${counted(rows, 'row')} read from ${counted(published, 'file')} is accounted for.`;
  const waits = waiting.map((queue) => ` ${queueWords(queue)}`);
  const elsewhere = elsewhereWords(report);
  return html`${read}${elsewhere === null ? '' : ` ${elsewhere}`}${aside > 0 ? ` ${counted(aside, 'file')} ${aside === 1 ? 'was' : 'were'} set aside.` : ''}${waits}`;
}

/** Who must do something about how many rows. */
function needs(report: Report, causes: PageFacts['causes']): Html {
  const byWho = new Map<
    string,
    { count: number; causes: { index: number; reason: string; count: number }[] }
  >();
  causes.slice(0, MOST_SAMPLED).forEach(({ cause }, index) => {
    const { who } = causeAdvice(cause, report.selection);
    const known = byWho.get(who) ?? { count: 0, causes: [] };
    known.count += cause.count;
    known.causes.push({ index, reason: cause.reason, count: cause.count });
    byWho.set(who, known);
  });
  const aside = report.files.filter(isSetAside).length;
  if (aside > 0 && !byWho.has(KEEPER)) byWho.set(KEEPER, { count: 0, causes: [] });
  const { learners, rows } = report.unknownLearners;
  const unusable = outageNeeds(report);
  if (byWho.size === 0 && unusable.length === 0 && (report.untaken ?? []).length === 0) return html``;
  return html`<ul class="needs">${unusable}${[...byWho].map(
    ([who, need]) => html`<li><b>${who.charAt(0).toUpperCase() + who.slice(1)}</b>: ${joined([
      ...need.causes
        .slice(0, MOST_NAMED)
        .map(
          ({ index, reason, count }) =>
            html`<a href="#${causeId(index)}">${counted(count, 'row')}</a>, ${reason}`,
        ),
      ...(need.causes.length > MOST_NAMED ? [html`and more`] : []),
      ...(who === KEEPER && aside > 0
        ? [html`<a href="#files">${counted(aside, 'file')}</a> set aside as a whole`]
        : []),
    ])}.</li>
`,
  )}${untakenNeed(report)}${
    learners > 0
      ? html`<li class="calm">The platform does not know ${figure('unknownLearners.learners', learners)} ${learners === 1 ? 'learner' : 'learners'}, of ${figure('unknownLearners.rows', rows)} ${rows === 1 ? 'row' : 'rows'}; <code>registrar map</code> lists them with known ones near.</li>`
      : ''
  }</ul>`;
}

function joined(parts: readonly Html[]): Html {
  return html`${parts.map((part, place) => [place === 0 ? '' : '; ', part])}`;
}

/** The most names in a sentence: a longer one would be a table. */
const MOST_NAMED = 6;
