import { sizeWords } from '../../../config/values/file-size.js';
import { type Html, html } from '../../../report/page/html.js';
import type { Visit } from '../../visits/visit.js';
import type { Desk } from '../../work/desk.js';
import { sectionOf } from '../page.js';
import { formToken, optionsOf } from '../parts/fields.js';

/** Where operators drop a file; nothing for the others. The token comes first: without it no byte of the file is kept. */
export function dropForm(visit: Visit, desk: Desk): Html {
  if (!visit.mayAct) return html``;
  const { sources, console } = desk.context().config;
  const chosen = visit.address.query.source ?? '';
  return sectionOf('drop-title', 'Drop a file')`
<form class="drop" method="post" action="/files/upload" enctype="multipart/form-data" data-drop data-largest="${console.largestUploadBytes}">${formToken(visit)}
<p class="field"><label for="drop-source">Source</label>
<select id="drop-source" name="source">${optionsOf(
    sources.map(({ name }) => ({ value: name, label: name })),
    chosen,
  )}</select></p>
<p class="field"><label for="drop-file">File</label>
<input id="drop-file" name="file" type="file" required aria-describedby="drop-note"></p>
<p class="buttons"><button>Preview</button></p>
<p class="note" id="drop-note">Or drag it here. Up to ${sizeWords(console.largestUploadBytes)}. You see a preview before anything is imported.</p>
<p class="note" role="status" data-progress></p>
</form>`;
}
