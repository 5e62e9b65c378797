import type { UnmatchedFile } from '../../documents/common.js';
import { counted } from '../text/counted.js';
import { type Html, html } from './html.js';
import { linkTo, timeText } from './words.js';

export interface AttentionList {
  readonly problems: readonly {
    readonly message: string;
    /** ISO time; null: unknown. */
    readonly since: string | null;
    readonly remedy: string;
    readonly isFailed: boolean;
  }[];
  /** Most rows first. */
  readonly causes: readonly { readonly count: number; readonly reason: string }[];
  readonly refused: number;
  readonly unmatched: readonly UnmatchedFile[];
}

/** Where the lines of the list lead; null: nowhere. */
interface Targets {
  cause(index: number): string | null;
  readonly causes: string;
  readonly refused: string;
}

/** The most causes, and the most unmatched files: further ones are a click away. */
const MAX_LISTED = 8;

/** The list with which the overview and a report begin, a line each. @param others further lines of the page. */
export function attentionListHtml(needs: AttentionList, to: Targets, others: readonly Html[] = []): Html {
  const { problems, causes, refused, unmatched } = needs;
  const [more, moreFiles] = [causes.length - MAX_LISTED, unmatched.length - MAX_LISTED];
  const lines = [
    ...problems.map(
      ({ message, since, remedy, isFailed }) =>
        html`<li${isFailed ? html` class="broken"` : ''}><b>${message}</b>${since === null ? '' : html` Since ${timeText(since)}.`} ${remedy}</li>`,
    ),
    ...causes
      .slice(0, MAX_LISTED)
      .map(
        ({ count, reason }, index) =>
          html`<li>${linkTo(to.cause(index), counted(count, 'row'))}: ${reason}</li>`,
      ),
    ...(more > 0 ? [html`<li>${linkTo(to.causes, counted(more, 'further cause'))}</li>`] : []),
    ...(refused > 0 ? [html`<li>${linkTo(to.refused, counted(refused, 'file'))} refused</li>`] : []),
    ...unmatched
      .slice(0, MAX_LISTED)
      .map(({ path, reason, remedy }) => html`<li><bdi>${path}</bdi> ${reason}. ${remedy}</li>`),
    ...(moreFiles > 0 ? [html`<li>${counted(moreFiles, 'more unmatched file')}</li>`] : []),
    ...others,
  ];
  return lines.length === 0 ? html`` : html`<ul class="needs">${lines}</ul>`;
}
