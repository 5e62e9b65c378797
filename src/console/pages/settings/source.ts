import { environmentNamed } from '../../../actions/context.js';
import { checkEnvironment } from '../../../actions/doctor/check-environments.js';
import { DATE_ORDERS, SCALES } from '../../../actions/setup/setup-answers.js';
import type { ListedRow } from '../../../documents/rows.js';
import { findOperation, operationNamed } from '../../../operations/registry.js';
import { type Html, html } from '../../../report/page/html.js';
import { hrefOf, ownPath, type Visit } from '../../work/visit.js';
import { type Page, sectionOf } from '../page.js';
import { explainedChoices, formToken, hiddenFields } from '../parts/fields.js';
import { settingsPageOf } from './change.js';
import { entryIndex, listAt, readConfigFile, type SettingField, valueAt } from './setting-fields.js';

const PAUSED_NOTE = 'With a reason, its files are left in the inbox. Empty: they are imported.';

const AS_PROVED = 'as the column proves';

const TEXTS: readonly SettingField[] = [
  { name: 'paused', label: 'Paused, because', note: PAUSED_NOTE },
  { name: 'match', label: 'File names', note: 'Such as *.{csv,xlsx}. Empty: all formats that are read.' },
  { name: 'timeZone', label: 'Time zone', note: 'Of times that name none, such as Europe/Berlin.' },
  { name: 'dateOrder', label: 'Order of dates', choices: explainedChoices(DATE_ORDERS, AS_PROVED) },
  { name: 'scale', label: 'Scale of scores', choices: explainedChoices(SCALES, AS_PROVED) },
  { name: 'encoding', label: 'Encoding', note: 'Of text files, such as windows-1250. Empty: detected.' },
  {
    name: 'noDate',
    label: 'Rows with neither date nor status',
    choices: explainedChoices({ invalid: 'are invalid', skipped: 'count as not completed' }, 'are invalid'),
  },
];

const WORDS: readonly SettingField[] = [
  { name: 'completed', label: 'Words that mean completed' },
  { name: 'notCompleted', label: 'Words that mean not completed' },
].map((field) => ({
  ...field,
  path: ['status', field.name],
  kind: 'lines',
  note: 'One a line.',
}));

/** `?drop=3`: a file that is read again after the change. */
export const SOURCE_PAGE = settingsPageOf(
  '/settings/sources/:source',
  (visit) => {
    const { source = '' } = visit.params;
    const { drop } = visit.address.query;
    const file = readConfigFile(visit);
    const at = ['sources', entryIndex(file, ['sources'], source)] as const;
    const { fields } = operationNamed(String(valueAt(file, [...at, 'operation'])));
    const columns = fields.map(({ name }) => ({
      name: `column-${name}`,
      label: name,
      path: ['columns', name],
      setting: 'sources[].columns',
    }));
    return {
      title: `Source ${source}`,
      at,
      settings: 'sources[]',
      groups: [
        { fields: TEXTS },
        { heading: 'In addition to the known words', fields: WORDS },
        {
          heading: 'Columns',
          note: 'The header of each field. Empty: found by known headers.',
          fields: columns,
        },
      ],
      kept: drop === undefined ? {} : { drop },
    };
  },
  async (visit) => {
    const { drop = '' } = visit.address.query;
    if (/^\d{1,15}$/.test(drop)) return `/decide/restage?drop=${drop}`;
    // In the inboxes a person has to confirm the change before files are imported.
    const request = { sources: [visit.params.source ?? ''], confirmed: [], intake: true, push: false };
    const [planned] = (await visit.query('runPlan', request)).sources;
    return planned?.obstacle?.confirmable ? '/files#inboxes' : null;
  },
);

/** Its other settings are changed in the file alone. */
export const ENVIRONMENT_PAGE: Page = {
  ...settingsPageOf('/settings/environments/:environment', (visit) => {
    const name = environmentNamed(visit.actionContext().config, visit.params.environment ?? '');
    const note = 'With a reason, nothing is sent to it and its rows wait. Empty: they are delivered.';
    return {
      title: `Environment ${name}`,
      at: ['environments', name],
      settings: 'environments.name',
      groups: [{ fields: [{ name: 'paused', label: 'Paused, because', note }] }],
      below: sectionOf('test', 'Test')`${testEnvironment(visit, name)}`,
    };
  }),
  forms: {
    async test(visit, fields) {
      const { environment = '' } = visit.params;
      const operation = findOperation(fields.one('operation'))?.name ?? null;
      // The queries' thread reads no files of secrets.
      const findings = await checkEnvironment(visit.actionContext(), environment, operation);
      const worst = WORST_FIRST.find(({ verdict }) => findings.some((one) => one.verdict === verdict));
      const { look, words } = worst ?? SOUND;
      const back = fields.one('back') === '' ? '/settings' : ownPath(fields.one('back'));
      return {
        page: {
          title: `${environment} ${words}`,
          section: '/settings',
          content: html`<ul class="notice ${look}" role="status">${findings.map(({ message, remedy }) => html`<li>${message}${remedy === '' ? '' : html`. ${remedy}`}</li>`)}</ul>
<p class="buttons"><a href="${back}">Back</a></p>`,
        },
      };
    },
  },
};

const SOUND = { look: 'good', words: 'can be used' };
const WORST_FIRST = [
  { verdict: 'broken', look: 'bad', words: 'can’t be used' },
  { verdict: 'attention', look: 'open', words: 'was not checked completely' },
];

/** A button that tests the address and the credentials of an environment. @param operation of a source that is to be added. */
export function testEnvironment(visit: Visit, environment: string, operation = ''): Html {
  const back = hrefOf(visit.address, {});
  return html`<form method="post" action="/settings/environments/${encodeURIComponent(environment)}/test">${formToken(visit)}${hiddenFields({ operation, back })}
<p class="buttons"><button class="second-choice">Test the platform</button> <span class="note">uses a few requests of the quota of ${environment}</span></p></form>`;
}

/** Words of the status of these rows that no list has, each with links that give it a meaning, and read its file again. */
export function unknownWords(visit: Visit, rows: readonly ListedRow[]): Html {
  const words = new Map<string, { readonly row: ListedRow; readonly word: string }>();
  for (const row of rows) {
    const problem = row.problems.find(({ code }) => code === 'status-unknown');
    const word = row.fields.find(({ column }) => column !== null && column === problem?.column)?.inFile ?? '';
    const key = JSON.stringify([row.source, word.toLowerCase()]);
    if (word.trim() !== '' && !words.has(key)) words.set(key, { row, word: word.trim() });
  }
  if (words.size === 0) return html``;
  const file = readConfigFile(visit);
  return html`<h2 id="words">Unknown status words</h2>
<ul>${[...words.values()].map(({ row, word }) => {
    const to = (as: string) => {
      const at = ['sources', entryIndex(file, ['sources'], row.source), 'status', as];
      const query = { [as]: [...listAt(file, at), word].join('\n'), drop: String(row.drop) };
      return hrefOf({ path: `/settings/sources/${encodeURIComponent(row.source)}`, query });
    };
    return html`<li><q>${word}</q> of ${row.source}: <a href="${to('completed')}">Treat as completed</a> · <a href="${to('notCompleted')}">Treat as not completed</a></li>`;
  })}</ul>`;
}
