import { jobName } from '../../../config/values/job-name.js';
import { type Html, html } from '../../../report/page/html.js';
import { contentHtml, sectionHtml } from '../../../report/page/section-html.js';
import { settings } from '../../../report/sections/settings.js';
import type { Visit } from '../../work/visit.js';
import { type Page, sectionOf } from '../page.js';
import { notice } from '../parts/fields.js';
import { newSourceForm } from './new-source.js';

export const settingsPage: Page = {
  path: '/settings',
  async show(visit) {
    const { registrar, node, sqlite, schema } = await visit.query('versions', {});
    // Settings by name, and none that gives access or names people: no viewer needs them masked.
    const section = settings({ files: [] }, { versions: [], config: visit.actionContext().config });
    return {
      title: 'Settings',
      section: '/settings',
      content: html`${savedNotice(visit)}
${visit.mayAct ? changes(visit) : ''}${visit.seesPeople ? html`<p><a href="/settings/access">Users and tokens</a></p>` : ''}
${sectionHtml({ id: section.id, title: 'registrar.yaml' }, contentHtml(section, []))}
${sectionOf('versions', 'Versions')`<dl class="pairs">
<dt>Registrar</dt><dd>${registrar}</dd>
<dt>Node.js</dt><dd>${node}</dd>
<dt>SQLite</dt><dd>${sqlite}</dd>
<dt>Ledger schema</dt><dd>${schema}</dd>
</dl>`}`,
    };
  },
};

function savedNotice({ address: { query } }: Visit): Html {
  if (query.saved === undefined || query.saved === '') return html``;
  const hosts =
    query.saved === 'yes'
      ? ''
      : ` Services on ${query.saved} use it once they are reloaded: systemctl reload registrar.`;
  return notice(`Saved in registrar.yaml, and used from now on.${hosts}`, 'good');
}

/** Links to what can be changed here; the rest of registrar.yaml is changed in the file. */
function changes(visit: Visit): Html {
  const { sources, environments, schedule, alerts } = visit.actionContext().config;
  const links = (title: string, items: readonly Html[]) =>
    html`<div><h3>${title}</h3><ul>${items.map((item) => html`<li>${item}</li>`)}</ul></div>`;
  return html`${sectionOf('change', 'Change')`
<p class="note"><a href="/help/reference#configuration">All settings of registrar.yaml</a></p>
<div class="grid">${links(
    'Sources',
    sources.map(
      ({ name, paused }) =>
        html`<a href="/settings/sources/${encodeURIComponent(name)}">${name}</a>${pausedChip(paused)}`,
    ),
  )}
${links(
  'Environments',
  Object.entries(environments).map(
    ([name, { paused }]) =>
      html`<a href="/settings/environments/${encodeURIComponent(name)}">${name}</a>${pausedChip(paused)}`,
  ),
)}
${links('Schedule', [
  ...schedule.map(
    (line, index) =>
      html`<a href="/settings/schedule/${index}">${jobName(line)}</a>${pausedChip(line.paused)}`,
  ),
  html`<a href="/settings/schedule/new">Add a line</a>`,
])}
${links('Notifications', [
  ...alerts.channels.map(
    ({ name }) => html`<a href="/settings/channels/${encodeURIComponent(name)}">${name}</a>`,
  ),
  html`<a href="/settings/channels/new?way=email">Add a mail channel</a>`,
  html`<a href="/settings/channels/new?way=webhook">Add a webhook channel</a>`,
  html`<a href="/alerts">Alerts and notifications</a>`,
])}</div>`}
${newSourceForm(visit)}`;
}

function pausedChip(because: string | undefined): Html {
  return because === undefined ? html`` : html` <span class="chip open">paused</span> ${because}`;
}
