import { DISPOSITIONS, type Disposition } from '../../domain/row.js';
import { STATES, type State } from '../../domain/submission.js';
import { countSubmissions, type Report } from '../report.js';
import { type Html, html } from './html.js';
import { figure, numberText } from './words.js';

/** What a part of a sum means for people. The tone decides the colour; the words beside the colour say the same. */
type Tone = 'good' | 'open' | 'bad' | 'calm';

interface Part {
  readonly figure: string;
  readonly name: string;
  readonly meaning: string;
  readonly tone: Tone;
  readonly count: number;
}

/** The three sums that show where every row went: rows, submissions, requests. */
export function funnel(report: Report): Html {
  const { attempts } = report;
  return html`<div class="sums">
${sum('rows', report.rows, 'row', 'read', 'Rows in the files', dispositions(report))}
${sum('submissions', countSubmissions(report), 'submission', '', 'State of each staged row', states(report))}
${sum('attempts.total', attempts.total, 'request', '', 'Requests sent', requests(report))}
</div>
<p class="note">${figure('attempts.throttled', attempts.throttled)} of the requests ${
    attempts.throttled === 1 ? 'was' : 'were'
  } throttled (429), which doesn’t count against a row. ${figure('attempts.repeats', attempts.repeats)} ${
    attempts.repeats === 1 ? 'was' : 'were'
  } sent again although an earlier one may have arrived.</p>`;
}

function sum(
  name: string,
  total: number,
  thing: string,
  done: string,
  title: string,
  parts: readonly Part[],
): Html {
  const there = parts.filter(({ count }) => count > 0);
  // A sum that doesn't add up must not look as if it did.
  const equals = parts.reduce((all, { count }) => all + count, 0) === total ? '=' : '≠';
  const none = parts.filter(({ count }) => count === 0);
  return html`<section class="sum" aria-label="${title}">
<h3>${title}</h3>
<p class="equation"><span class="total"><b>${figure(name, total)}</b> <span>${
    total === 1 ? thing : `${thing}s`
  } ${done}</span></span> ${
    there.length === 0
      ? html`<span class="term"><span class="op">${equals}</span> <span class="part calm"><b>0</b> <span>nothing<small>to add up</small></span></span></span>`
      : there.map((part, index) => term(index === 0 ? equals : '+', part))
  }</p>
${bar(total, there)}
<p class="none">${none.length === 0 ? '' : html`No ${none.map((part, index) => [separator(index, none.length), absent(part)])} ${thing}s.`}</p>
</section>`;
}

/** What stands before an entry of a list: "duplicate, amended or skipped". */
function separator(index: number, length: number): string {
  return index === 0 ? '' : index === length - 1 ? ' or ' : ', ';
}

function absent({ figure: name, name: word }: Part): Html {
  return html`<data value="0" data-figure="${name}">${word}</data>`;
}

function term(sign: string, { figure: name, name: word, meaning, tone, count }: Part): Html {
  return html`<span class="term"><span class="op">${sign}</span> <span class="part ${tone}"><b>${figure(name, count)}</b> <span>${word}<small>${meaning}</small></span></span></span> `;
}

/** The same sum as a bar; a part too thin to be seen is widened. */
function bar(total: number, parts: readonly Part[]): Html {
  const least = total / 150;
  const gap = total / 500;
  let x = 0;
  const pieces = parts.map(({ tone, count }) => {
    const width = Math.max(count, least);
    const piece = html`<rect class="${tone}" x="${x}" y="0" width="${width}" height="1"/>`;
    x += width + gap;
    return piece;
  });
  return html`<svg class="bar" viewBox="0 0 ${Math.max(x, 1)} 1" preserveAspectRatio="none" aria-hidden="true">${pieces}</svg>`;
}

const DISPOSITION_WORDS: Readonly<Record<Disposition, readonly [Tone, string]>> = {
  staged: ['good', 'to be delivered'],
  amended: ['good', 'corrections of known rows'],
  duplicate: ['calm', 'known already'],
  invalid: ['bad', 'became no record'],
  skipped: ['calm', 'not to be delivered'],
  'non-data': ['calm', 'titles and totals'],
  blank: ['calm', 'empty'],
};

function dispositions(report: Report): Part[] {
  return DISPOSITIONS.map((name) => {
    const [tone, meaning] = DISPOSITION_WORDS[name];
    return { figure: `dispositions.${name}`, name, meaning, tone, count: report.dispositions[name] };
  });
}

const STATE_WORDS: Readonly<Record<State, readonly [Tone, string]>> = {
  accepted: ['good', 'by the platform'],
  waiting: ['open', 'to be sent'],
  sending: ['open', 'under way'],
  held: ['bad', 'not sent for a reason'],
  rejected: ['bad', 'refused by the platform'],
  failed: ['bad', 'after every try'],
  'in-doubt': ['bad', 'perhaps arrived'],
  dismissed: ['calm', 'by a person'],
  replaced: ['calm', 'by a newer row'],
};

function states(report: Report): Part[] {
  const order: readonly State[] = ['accepted', ...STATES.filter((state) => state !== 'accepted')];
  return order.map((name) => {
    const [tone, meaning] = STATE_WORDS[name];
    return { figure: `states.${name}`, name, meaning, tone, count: report.states[name] };
  });
}

function requests({ attempts }: Report): Part[] {
  return [
    {
      figure: 'attempts.responses',
      name: 'answered',
      meaning: `${numberText(attempts.accepted)} accepted, ${numberText(attempts.rejected)} refused`,
      tone: 'good',
      count: attempts.responses,
    },
    {
      figure: 'attempts.noResponses',
      name: 'unanswered',
      meaning: 'sent again or in doubt',
      tone: 'bad',
      count: attempts.noResponses,
    },
    { figure: 'attempts.open', name: 'open', meaning: 'under way', tone: 'open', count: attempts.open },
  ];
}
