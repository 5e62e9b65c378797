import { type Html, html } from './html.js';
import { counted, numberText, scrollable } from './page-words.js';
import type { Report } from './report.js';

/** The control equations: that they hold, or which don't, with the rows that are too many or missing. */
export function books(report: Report): Html {
  return report.balanced ? balanced(report) : unbalanced(report);
}

function balanced({ files }: Report): Html {
  const published = files.filter(({ state }) => state === 'published').length;
  const each = published === 0 ? 'each file' : `each of ${counted(published, 'file')}`;
  return html`<ul class="proof">
<li><span class="sign" aria-hidden="true">✓</span> For ${each}: the rows that were read are the sum of what was made of them, and the cells of as many rows are kept.</li>
<li><span class="sign" aria-hidden="true">✓</span> Rows staged, corrections and what people decided are the sum of the submissions in all states.</li>
<li><span class="sign" aria-hidden="true">✓</span> Every request was answered, or has the reason why not, or is under way.</li>
</ul>`;
}

const EQUATIONS: Readonly<Record<string, string>> = {
  rows: 'rows read = what was made of them',
  submissions: 'staged + amended + by decisions = all states',
  attempts: 'requests = answered + without answer + open',
};

function unbalanced({ imbalances }: Report): Html {
  return scrollable(
    'Equations that do not hold',
    html`<table><caption><span>Equations that do not hold</span></caption>
<thead><tr><th scope="col">Equation</th><th scope="col">Of</th><th scope="col" class="n">Expected</th><th scope="col" class="n">Found</th><th scope="col">Too many or missing</th></tr></thead>
<tbody>${imbalances.slice(0, MOST_IMBALANCES).map(
      ({
        equation,
        subject,
        expected,
        found,
        examples,
      }) => html`<tr><th scope="row">${EQUATIONS[equation] ?? equation}</th><td><bdi>${subject}</bdi></td><td class="n">${numberText(expected)}</td><td class="n">${numberText(found)}</td><td>${examples.map((example) => html`<span class="line">${example}</span>`)}</td></tr>
`,
    )}</tbody></table>`,
  );
}

/** One is enough to stop; of very many the others are in the JSON. */
const MOST_IMBALANCES = 100;
