import type { Report } from '../report.js';
import type { PageFacts } from './facts.js';
import { type Html, html } from './html.js';
import { counted, numberText } from './words.js';

/** The most files on the page; the JSON beside it has all of them. */
const MOST_LISTED = 150;

/** Files in the inboxes that no source takes, each with what to do; null where there are none, or nobody looked. */
export function untaken({ report }: PageFacts): Html | null {
  const files = report.untaken ?? [];
  if (files.length === 0) return null;
  const more = files.length - MOST_LISTED;
  return html`<p class="note">So it was when this report was made. None of their rows counts, but where it says so.</p>
<ul class="aside" aria-label="Files not taken in">${files.slice(0, MOST_LISTED).map(
    ({
      path,
      reason,
      remedy,
    }) => html`<li><span class="chip bad">not taken</span> <b><bdi>${path}</bdi></b> ${reason}. ${remedy}</li>
`,
  )}</ul>${more > 0 ? html`<p class="note">${counted(more, 'more file')}: see report.json.</p>` : ''}`;
}

/** The most files that the first lines name. */
const MOST_NAMED = 5;

/** The entry in the list of who must do what, which names the first of these files; '' where there are none. */
export function untakenNeed(report: Report): Html {
  const files = report.untaken ?? [];
  if (files.length === 0) return html``;
  const more = files.length - MOST_NAMED;
  return html`<li><b>The sender of the files</b>: <a href="#untaken">${counted(files.length, 'file')}</a> not picked up: ${files
    .slice(0, MOST_NAMED)
    .map(({ path }, place) => [place === 0 ? '' : ', ', html`<bdi>${path}</bdi>`])}${
    more > 0 ? html` and ${numberText(more)} more` : ''
  }.</li>`;
}
