import { type ReplaceRequest, replace } from '../../../actions/correct/replace.js';
import { BROWSABLE } from '../../../actions/rows/selectable.js';
import { selectionIn } from '../../../domain/text/selection-text.js';
import { type Html, html } from '../../../report/page/html.js';
import type { Visit } from '../../visits/visit.js';
import { hiddenFields } from '../parts/fields.js';
import type { DecisionDoor } from './decision-page.js';

/** The rows of the address, `?column=…&find=…&with=…`. */
export const replaceDoor: DecisionDoor<ReplaceRequest, Parameters<typeof replace.preview>[0]> = {
  verb: replace,
  title: 'Find and replace',
  section: '/attention',
  button: 'Correct them',
  request: ({ column = '', find = '', with: replacement = '', ...query }) => {
    const selection = selectionIn(query, BROWSABLE) ?? selectionIn({ all: 'true' }, BROWSABLE);
    return column === '' || find === '' || selection === null
      ? null
      : { selection, column, find, replacement };
  },
  missing: html`Choose a column and a text to find in the rows of <a href="/attention">a cause</a>.`,
};

/** The fields to find a text in a column of the rows of an address. @param columns those of the rows shown; [] for no fields. */
export function replaceFields({ address }: Visit, columns: readonly string[]): Html {
  if (columns.length === 0) return html``;
  const { after: _, sort: __, chosen: ___, saved: ____, search: _____, ...selection } = address.query;
  return html`<details class="replace"><summary>Find and replace in a column</summary>
<form class="filter" method="get" action="/decide/replace">${hiddenFields(selection)}
<p class="field"><label for="replace-column">Column</label> <select id="replace-column" name="column">${columns.map((column) => html`<option value="${column}">${column}</option>`)}</select></p>
<p class="field"><label for="replace-find">Find</label> <input id="replace-find" name="find" type="text" required maxlength="1000" autocomplete="off" spellcheck="false"></p>
<p class="field"><label for="replace-with">Replace with</label> <input id="replace-with" name="with" type="text" maxlength="1000" autocomplete="off" spellcheck="false"></p>
<button class="second-choice">Preview</button></form></details>`;
}
