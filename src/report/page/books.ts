import { EQUATIONS, type Equation } from '../../domain/balance/equations.js';
import type { Report } from '../report.js';
import type { PageFacts } from './facts.js';
import { type Html, html } from './html.js';
import { counted, inFull, numberText, scrollable } from './words.js';

/**
 * The control equations with both their sides: first those that fail, with the rows that are too many or missing, then the
 * sums over everything, and then those of each part for readers who add up themselves.
 */
export function books({ report, otherFiles }: PageFacts): Html {
  const { equations } = report;
  const together = equations.filter(({ over }) => over === 'run' || over === 'overall');
  const parts = equations.filter((equation) => !together.includes(equation));
  return html`${report.balanced ? '' : unbalanced(report)}
${together.length > 0 ? scrollable('Table of sums', table('Sums over all of it', together)) : ''}
${parts.length > 0 ? ofParts(parts, otherFiles) : ''}`;
}

/** The most sums on the page; the report's JSON has all of them. */
const MOST_EQUATIONS = 100;

function ofParts(equations: readonly Equation[], otherFiles: readonly string[]): Html {
  const more = equations.length - MOST_EQUATIONS;
  return html`<details><summary>The same for each file, source and environment</summary>
${scrollable('Table of sums of the parts', table('Sums of each part', equations.slice(0, MOST_EQUATIONS)))}
${more > 0 ? html`<p class="note">${counted(more, 'more sum')}: ${inFull(otherFiles)}.</p>` : ''}</details>`;
}

function table(caption: string, equations: readonly Equation[]): Html {
  return html`<table><caption><span>${caption}</span></caption>
<thead><tr><th scope="col">Of</th><th scope="col">Equation</th><th scope="col" class="n">Left</th><th scope="col" class="n">Right</th><th scope="col">Holds</th></tr></thead>
<tbody>${equations.map(
    ({
      subject,
      equation,
      left,
      right,
      holds,
    }) => html`<tr><th scope="row"><bdi>${subject}</bdi></th><td>${EQUATIONS[equation]}</td><td class="n">${numberText(left)}</td><td class="n">${numberText(right)}</td><td>${
      holds
        ? html`<span class="sign" aria-hidden="true">✓</span>yes`
        : html`<span class="chip bad">✕ no</span>`
    }</td></tr>
`,
  )}</tbody></table>`;
}

function unbalanced({ imbalances }: Report): Html {
  return scrollable(
    'Table of what differs',
    html`<table><caption><span>What differs</span></caption>
<thead><tr><th scope="col">Of</th><th scope="col">Equation</th><th scope="col" class="n">Expected</th><th scope="col" class="n">Found</th><th scope="col">Too many or missing</th></tr></thead>
<tbody>${imbalances.slice(0, MOST_IMBALANCES).map(
      ({
        equation,
        subject,
        expected,
        found,
        examples,
      }) => html`<tr><th scope="row"><bdi>${subject}</bdi></th><td>${EQUATIONS[equation]}</td><td class="n">${numberText(expected)}</td><td class="n">${numberText(found)}</td><td>${examples.map((example) => html`<span class="line">${example}</span>`)}</td></tr>
`,
    )}</tbody></table>`,
  );
}

/** The most imbalances on the page: one is enough to stop, and the JSON has all of them. */
const MOST_IMBALANCES = 50;
