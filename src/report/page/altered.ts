import { ALTERATION_KINDS } from '../../domain/text/alteration.js';
import { clip } from '../text/layout.js';
import { ALTERATION_WORDS } from '../words/notice-words.js';
import type { PageFacts } from './facts.js';
import { type Html, html } from './html.js';
import { counted, figure, scrollable } from './words.js';

/** The most characters of a text on the page; the row's trace has all of it. */
const LONGEST_TEXT = 400;

/** Texts that came back otherwise than they were sent, with both versions; null where there are none. */
export function altered({ report }: PageFacts): Html | null {
  const { counts, shown } = report.altered;
  const total = ALTERATION_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
  if (total === 0) return null;
  const table = html`<table>
<caption><span>Texts that came back otherwise than they were sent</span></caption>
<thead><tr><th scope="col">Row</th><th scope="col">Field</th><th scope="col">How</th><th scope="col">Sent</th><th scope="col">Came back</th></tr></thead>
<tbody>${shown.map(
    ({ file, line, field, kind, sent, returned }) =>
      html`<tr><th scope="row"><bdi>${file}</bdi>:${String(line)}</th><td><code>${field}</code></td><td>${ALTERATION_WORDS[kind]}</td><td><bdi>${clip(sent ?? 'erased', LONGEST_TEXT)}</bdi></td><td><bdi>${clip(returned ?? 'erased', LONGEST_TEXT)}</bdi></td></tr>
`,
  )}</tbody>
</table>`;
  const kinds = ALTERATION_KINDS.map(
    (kind) => html`<li>${figure(`altered.counts.${kind}`, counts[kind])} ${ALTERATION_WORDS[kind]}</li>`,
  );
  return html`<p>${counted(total, 'text')} came back otherwise than they were sent.</p>
<ul>${kinds}</ul>
${scrollable('Table of altered texts', table)}`;
}

/** The columns that rows go without although they are records; null where there are none. */
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
