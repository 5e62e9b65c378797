import { type Html, html } from '../../../report/page/html.js';
import { hrefOf, type Visit } from '../../visits/visit.js';
import { hiddenFields } from '../parts/fields.js';

/** Where the correction of an identifier is planned and decided. Personal. */
export function mapPath(query: Readonly<Record<'old' | 'new' | 'type', string>>): string {
  return hrefOf({ path: '/decide/map', query });
}

/** The fields to find a text in a column of the rows of an address. @param columns those of the rows shown; [] for no fields. */
export function replaceFields({ address }: Visit, columns: readonly string[]): Html {
  if (columns.length === 0) return html``;
  const { after: _, sort: __, chosen: ___, saved: ____, search: _____, ...selection } = address.query;
  return html`<details class="replace"><summary>Find and replace in a column</summary>
<form class="filter" method="get" action="/decide/replace">${hiddenFields({ ...selection, all: 'true' })}
<p class="field"><label for="replace-column">Column</label> <select id="replace-column" name="column">${columns.map((column) => html`<option value="${column}">${column}</option>`)}</select></p>
<p class="field"><label for="replace-find">Find</label> <input id="replace-find" name="find" type="text" required maxlength="1000" autocomplete="off" spellcheck="false"></p>
<p class="field"><label for="replace-with">Replace with</label> <input id="replace-with" name="with" type="text" maxlength="1000" autocomplete="off" spellcheck="false"></p>
<button class="second-choice">Preview</button></form></details>`;
}
