import type { PageFacts } from './facts.js';
import { type Html, html } from './html.js';
import { figure } from './words.js';

/** What rows go without although they are records; null: nothing. */
export function leftOut({ report }: PageFacts): Html | null {
  if (report.leftOut.length === 0) return null;
  return html`<ul class="notices">${report.leftOut.map(
    ({
      code,
      column,
      count,
      reason,
      example,
    }) => html`<li><b>${figure(`leftOut.${code}`, count)} without what <bdi>${column}</bdi> holds.</b> ${reason.charAt(0).toUpperCase() + reason.slice(1)}. <span class="note"><code>${code}</code>, such as <bdi>${example}</bdi></span></li>
`,
  )}</ul>`;
}
