import { type Html, html } from '../../report/page/html.js';
import type { QueryResult } from '../queries/queries.js';
import type { Page } from './page.js';
import { type Column, filterForm, listTable, orderOf, sortedRows } from './parts/list-table.js';

/** The settings of registrar.yaml as they were read, part by part. */
export const settingsPage: Page = {
  path: '/settings',
  async show({ address, seesPeople }, desk) {
    const { parts, versions } = await desk.ask('settings', {});
    const { registrar, node, sqlite, schema } = versions;
    const part = parts.find(({ name }) => name === address.query.part) ?? parts[0];
    const order = orderOf(address, COLUMNS, { key: '', isDescending: false });
    const settings = part?.settings ?? [];
    const rows = order.key === '' ? settings : sortedRows(settings, order, ({ key }) => key);
    const choices = parts.map(({ name }) => ({ value: name, label: name }));
    return {
      title: 'Settings',
      section: '/settings',
      content: html`<section aria-labelledby="versions">
<h2 id="versions">Versions</h2>
<dl class="pairs">
<dt>Registrar</dt><dd>${registrar}</dd>
<dt>Node.js</dt><dd>${node}</dd>
<dt>SQLite</dt><dd>${sqlite}</dd>
<dt>Ledger schema</dt><dd>${schema}</dd>
</dl>
</section>
<section aria-labelledby="settings">
<h2 id="settings">registrar.yaml: ${part?.name ?? ''}</h2>
<p class="second">As it was read, with what holds where the file says nothing. What gives access is never shown${seesPeople ? '' : ', nor are names of people and groups'}.</p>
${filterForm(address, [{ name: 'part', label: 'Part', choices, usual: part?.name ?? '' }])}
${
  rows.length === 0
    ? html`<p class="empty">Nothing is set here. docs/reference.md says what can be.</p>`
    : listTable(`Settings of ${part?.name ?? ''}`, { rows, columns: COLUMNS, address, order })
}
</section>`,
    };
  },
};

type Setting = QueryResult<'settings'>['parts'][number]['settings'][number];

const COLUMNS: readonly Column<Setting>[] = [
  { key: 'key', title: 'Key', isSorted: true, cell: ({ key }) => html`<code>${key}</code>` },
  { key: 'value', title: 'Value', cell: valueCell },
  {
    key: 'default',
    title: 'Default',
    cell: ({ default: standard, isDefault, value, people }) =>
      isDefault && (value !== null || people !== null)
        ? html`<span class="absent">the same</span>`
        : standard,
  },
  { key: 'meaning', title: 'Meaning', cell: ({ meaning }) => meaning },
];

function valueCell({ people, isHidden, isDefault, ...setting }: Setting): Html {
  const value = setting.value ?? people;
  if (isHidden && value === null) return html`<span class="chip calm">set, not shown</span>`;
  if (value === null) return html`<span class="absent">not set</span>`;
  return isDefault ? html`<bdi>${value}</bdi>` : html`<b><bdi>${value}</bdi></b>`;
}
