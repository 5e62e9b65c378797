import { type Html, html } from '../../../report/page/html.js';

/** What the script does at a key outside of fields. */
const KEYS = [
  ['/', 'Search'],
  ['j', 'Next row of a list'],
  ['k', 'Previous row'],
  ['x', 'Select the row, or not'],
  ['e', 'Correct the row, or open it'],
  ['?', 'These keys'],
] as const;

export function keyList(): Html {
  return html`<dl class="pairs">${KEYS.map(([key, what]) => html`<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`)}</dl>`;
}
