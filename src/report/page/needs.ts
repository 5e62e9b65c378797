import { agreeing } from '../../domain/text/count-of.js';
import { isSetAside } from '../../ledger/books/files/drop-list.js';
import type { Report } from '../report.js';
import { lastingOutages, outageSubject } from '../status/outages.js';
import { counted, numberText } from '../text/counted.js';
import { sentence } from '../text/sentence.js';
import { causeAdvice, OPERATOR } from '../words/cause-advice.js';
import { causeId } from './causes.js';
import { MAX_SAMPLED, type PageFacts } from './facts.js';
import { type Html, html } from './html.js';
import { figure, timeText } from './words.js';

/** The most names in a sentence: a longer one would be a table. */
const MAX_NAMED = 6;

/** The most files that the first lines name. */
const MAX_FILES = 5;

/** Each role with its number of rows that need attention; empty where none does. */
export function needs({ report, causes }: PageFacts): Html {
  const byWho = new Map<string, Html[]>();
  for (const [index, { cause }] of causes.slice(0, MAX_SAMPLED).entries()) {
    const { who } = causeAdvice(cause, report.selection);
    const named = byWho.get(who) ?? [];
    byWho.set(who, named);
    if (named.length < MAX_NAMED) {
      named.push(html`<a href="#${causeId(index)}">${counted(cause.count, 'row')}</a>, ${cause.reason}`);
    } else if (named.length === MAX_NAMED) named.push(html`and more`);
  }
  const aside = report.files.filter(isSetAside).length;
  if (aside > 0) {
    const files = html`<a href="#files">${counted(aside, 'file')}</a> refused`;
    byWho.set(OPERATOR, [...(byWho.get(OPERATOR) ?? []), files]);
  }
  const items = [
    ...lastingOutages(report).map(
      (
        outage,
      ) => html`<li class="broken"><b>${begun(OPERATOR)}</b>: <a href="#outages">${outageSubject(outage)}</a> since ${timeText(outage.since)}. ${outage.remedy}</li>
`,
    ),
    ...[...byWho].map(
      ([
        who,
        all,
      ]) => html`<li><b>${begun(who)}</b>: ${all.map((part, place) => [place === 0 ? '' : '; ', part])}.</li>
`,
    ),
    ...untaken(report),
    ...unknown(report),
  ];
  return items.length === 0 ? html`` : html`<ul class="needs">${items}</ul>`;
}

function untaken({ untaken: files }: Report): Html[] {
  if (!files?.length) return [];
  const more = files.length - MAX_FILES;
  const names = files
    .slice(0, MAX_FILES)
    .map(({ path }, place) => [place === 0 ? '' : ', ', html`<bdi>${path}</bdi>`]);
  return [
    html`<li><b>The sender of the files</b>: <a href="#untaken">${counted(files.length, 'file')}</a> not picked up: ${names}${more > 0 ? ` and ${numberText(more)} more` : ''}.</li>`,
  ];
}

function unknown({ unknownLearners: { learners, rows } }: Report): Html[] {
  if (learners === 0) return [];
  return [
    html`<li class="calm">The platform does not know ${figure('unknownLearners.learners', learners)} ${agreeing(learners, 'learner', 'learners')}, of ${figure('unknownLearners.rows', rows)} ${agreeing(rows, 'row', 'rows')}; <code>registrar map</code> lists them with known ones near.</li>`,
  ];
}

function begun(text: string): string {
  return sentence(text).slice(0, -1);
}
