import { agreeing } from '../../domain/text/count-of.js';
import type { Report } from '../report.js';
import { type Part, type Sum, type Sums, totals } from '../sections/totals.js';
import type { Links } from './facts.js';
import { type Html, html } from './html.js';
import { figure, linkTo } from './words.js';

/** The books of these rows as tiles and bars. @param links absent: the parts lead nowhere. */
export function sums(books: Sums, links?: Pick<Links, 'rows'>): Html {
  return html`<div class="sums">
${totals(books).map((sum) => sumHtml(sum, links))}
</div>
${books.attempts === undefined ? '' : requestNote(books.attempts)}`;
}

function requestNote({ throttled, repeats }: Report['attempts']): Html {
  return html`<p class="note">${figure('attempts.throttled', throttled)} ${agreeing(throttled, 'request was', 'requests were')} throttled (429), which doesn’t count against a row. ${figure('attempts.repeats', repeats)} ${agreeing(repeats, 'was', 'were')} sent again although an earlier one may have arrived.</p>`;
}

function sumHtml({ figure: name, total, noun, done, title, parts }: Sum, links?: Pick<Links, 'rows'>): Html {
  const there = parts.filter(({ count }) => count > 0);
  const none = parts.filter(({ count }) => count === 0);
  // A sum that doesn't add up must not look as if it did.
  const equals = parts.reduce((all, { count }) => all + count, 0) === total ? '=' : '≠';
  return html`<section class="sum" aria-label="${title}">
<h3>${title}</h3>
<p class="equation"><span class="total"><b>${figure(name, total)}</b> <span>${total === 1 ? noun : `${noun}s`} ${done}</span></span> ${
    there.length === 0 && total > 0
      ? html`<span class="term"><span class="op">${equals}</span> <span class="part bad"><b>0</b></span></span>`
      : there.map((part, index) => term(index === 0 ? equals : '+', part, links))
  }</p>
${bar(total, there, links)}
<p class="none">${none.length === 0 ? '' : html`No ${none.map(({ figure: name, name: word }, index) => html`${index === 0 ? '' : index === none.length - 1 ? ' or ' : ', '}<data value="0" data-figure="${name}">${word}</data>`)} ${noun}s.`}</p>
</section>
`;
}

function term(
  sign: string,
  { figure: name, name: word, meaning, tone, count }: Part,
  links?: Pick<Links, 'rows'>,
): Html {
  const number = linkTo(links?.rows(word) ?? null, html`<b>${figure(name, count)}</b>`);
  return html`<span class="term"><span class="op">${sign}</span> <span class="part ${tone}">${number} <span>${word}<small>${meaning}</small></span></span></span> `;
}

/** The same sum as a bar; a part too thin to be seen is widened. Its parts lead where their numbers do, for the mouse alone. */
function bar(total: number, parts: readonly Part[], links?: Pick<Links, 'rows'>): Html {
  let x = 0;
  const pieces = parts.map(({ name, tone, count }) => {
    const width = Math.max(count, total / 150);
    const piece = html`<rect class="${tone}" x="${x}" y="0" width="${width}" height="1"/>`;
    x += width + total / 500;
    const href = links?.rows(name) ?? null;
    return href === null ? piece : html`<a href="${href}" tabindex="-1">${piece}</a>`;
  });
  return html`<svg class="bar" viewBox="0 0 ${Math.max(x, 1)} 1" preserveAspectRatio="none" aria-hidden="true">${pieces}</svg>`;
}
