import { type Html, html } from './html.js';
import type { PageFacts } from './page-facts.js';
import { counted } from './page-words.js';
import type { Report } from './report.js';

/** A page lists so many; the JSON beside it has all. */
const MOST_LISTED = 150;

/** What lies where files come in and no source takes, each with what to do; null where there is nothing, or nobody looked. */
export function untaken({ report }: PageFacts): Html | null {
  const files = report.untaken ?? [];
  if (files.length === 0) return null;
  const more = files.length - MOST_LISTED;
  return html`<p class="note">They lay there when this report was made. None of them has been read; none of their rows counts.</p>
<ul class="aside" aria-label="Files that no source takes">${files.slice(0, MOST_LISTED).map(
    ({
      path,
      reason,
      remedy,
    }) => html`<li><span class="chip bad">not taken</span> <b><bdi>${path}</bdi></b> ${reason}. ${remedy}</li>
`,
  )}</ul>${more > 0 ? html`<p class="note">${counted(more, 'more file')}: see report.json.</p>` : ''}`;
}

/** The entry in the list of who must do what; '' where nothing lies there. */
export function untakenNeed(report: Report): Html {
  const count = report.untaken?.length ?? 0;
  if (count === 0) return html``;
  return html`<li><b>Whoever drops the files</b>: <a href="#untaken">${counted(count, 'file')}</a> that no source takes.</li>`;
}
