import { type Html, html } from '../../../report/page/html.js';
import type { Visit } from '../../visits/visit.js';

/** What the script does at a key outside of fields. */
const KEYS = [
  ['/', 'Search'],
  ['j', 'Next row of a list'],
  ['k', 'Previous row'],
  ['x', 'Select the row, or not'],
  ['e', 'Correct the row, or open it'],
  ['?', 'These keys'],
] as const;

export function keyList({ seesPeople }: Pick<Visit, 'seesPeople'>): Html {
  const keys = seesPeople ? KEYS : KEYS.filter(([key]) => key !== '/');
  return html`<dl class="pairs">${keys.map(([key, what]) => html`<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`)}</dl>`;
}
