import { html } from '../../../report/page/html.js';
import { type Page, sectionOf } from '../page.js';

/** Where a report of more than a run is chosen. */
export const chooseReportPage: Page = {
  path: '/reports',
  async show(_visit, desk) {
    const { sources } = desk.context().config;
    return {
      title: 'Report',
      section: '/runs',
      content: sectionOf('choose', 'Scope')`
<p class="second">Leave a field empty for all. You can share the address of a report.</p>
<form method="get" action="/report">
<p class="field"><label for="source">Source</label>
<select id="source" name="source"><option value="">all</option>${sources.map(({ name }) => html`<option>${name}</option>`)}</select></p>
<p class="field"><label for="file">File name</label>
<input id="file" name="file" type="text" maxlength="300" autocomplete="off"></p>
<p class="field"><label for="since">Received from (UTC)</label>
<input id="since" name="since" type="date"></p>
<p class="field"><label for="until">Received before (UTC)</label>
<input id="until" name="until" type="date"></p>
<p class="buttons"><button>Show the report</button></p>
</form>`,
    };
  },
};
