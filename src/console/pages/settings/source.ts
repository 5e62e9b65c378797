import { environmentNamed } from '../../../actions/context.js';
import { checkEnvironment } from '../../../actions/doctor/check-environments.js';
import { DATE_ORDERS, SCALES } from '../../../actions/setup/setup-answers.js';
import type { YamlEdit } from '../../../config/yaml/edit-yaml.js';
import type { ListedRow } from '../../../documents/rows.js';
import { findOperation, operationNamed } from '../../../operations/registry.js';
import { type Html, html } from '../../../report/page/html.js';
import { hrefOf, ownPath, type Visit } from '../../visits/visit.js';
import type { ConsoleContext } from '../../work/console-context.js';
import { type Page, sectionOf } from '../page.js';
import {
  type Choice,
  choiceField,
  explainedChoices,
  formToken,
  hiddenFields,
  linesField,
  textField,
} from '../parts/fields.js';
import { type SettingsDoor, settingsPageOf } from './change.js';
import { entryNamed, linesEdit, readWritten, shownIn, textEdit, written } from './written.js';

const PAUSED_NOTE = 'With a reason, its files are left in the inbox. Empty: they are imported.';

/** Settings that are one text or one of some: key, label, choices, note. */
const TEXTS: readonly (readonly [string, string, readonly Choice[] | null, string?])[] = [
  ['paused', 'Paused, because', null, PAUSED_NOTE],
  ['match', 'Names of files', null, 'Such as *.{csv,xlsx}. Empty: all formats that are read.'],
  ['timeZone', 'Time zone', null, 'Of times that name none, such as Europe/Berlin.'],
  ['dateOrder', 'Order of dates', explainedChoices(DATE_ORDERS, 'as the column proves')],
  ['scale', 'Scale of scores', explainedChoices(SCALES, 'as the column proves')],
  ['encoding', 'Encoding', null, 'Of text files, such as windows-1250. Empty: detected.'],
  [
    'noDate',
    'Rows with neither date nor status',
    explainedChoices({ invalid: 'are invalid', skipped: 'count as not completed' }, 'are invalid'),
  ],
];

const LISTS: readonly (readonly [string, string])[] = [
  ['completed', 'Words that mean completed'],
  ['notCompleted', 'Words that mean not completed'],
];

const door: SettingsDoor = {
  path: '/settings/sources/:source',
  title: ({ params: { source: name = '' } }, context) => {
    entryNamed(readWritten(context), ['sources'], name);
    return `Source ${name}`;
  },
  fields(visit, context) {
    const { at, now, fields } = sourceOf(visit, context);
    const status = (at('status') ?? {}) as Readonly<Record<string, unknown>>;
    return html`${TEXTS.map(([key, label, choices, note]) => {
      const facts = {
        name: key,
        label,
        value: shownIn(visit, key, now[key]),
        setting: `sources[].${key}`,
        note,
      };
      return choices === null ? textField(facts) : choiceField(facts, choices);
    })}
<h3>Words beside those that are known</h3>
${LISTS.map(([key, label]) => linesField({ name: key, label, value: shownIn(visit, key, status[key]), setting: `sources[].status.${key}`, note: 'One a line.' }))}
<h3>Columns</h3>
<p class="note">The header of each field. Empty: found by headers that are known.</p>
<div class="fields">${fields.map((field) => textField({ name: `column-${field}`, label: field, value: shownIn(visit, `column-${field}`, at('columns', field)), setting: 'sources[].columns' }))}</div>`;
  },
  edits(visit, context) {
    const { path, at, now, fields } = sourceOf(visit, context);
    return [
      ...TEXTS.flatMap(([key]) => textEdit(visit, key, [...path, key], now[key])),
      ...LISTS.flatMap(([key]) => linesEdit(visit, key, [...path, 'status', key], at('status', key))),
      ...fields.flatMap((field) =>
        textEdit(visit, `column-${field}`, [...path, 'columns', field], at('columns', field)),
      ),
    ];
  },
  /** The inboxes where a person has to confirm the change before files are imported. */
  async next({ params: { source: name = '' } }, context) {
    const asked = { sources: [name], confirmed: [], intake: true, push: false };
    const [planned] = (await context.query('runPlan', asked)).sources;
    return planned?.obstacle?.confirmable ? '/files#inboxes' : null;
  },
};

/**
 * A word that becomes one of the words of a source that mean completed, or not completed: `?word=Bestanden&as=completed`, and the file
 * that is read again then, `&drop=3`.
 */
const wordDoor: SettingsDoor = {
  path: '/settings/sources/:source/word',
  title: ({ params: { source: name = '' } }) => `What a word of ${name} means`,
  fields: (
    visit,
  ) => html`${textField({ name: 'word', label: 'Word', value: shownIn(visit, 'word', ''), isRequired: true })}
${choiceField({ name: 'as', label: 'Means', value: shownIn(visit, 'as', 'completed') }, [
  { value: 'completed', label: 'completed' },
  { value: 'notCompleted', label: 'not completed: its rows are skipped' },
])}
<input type="hidden" name="drop" value="${visit.address.query.drop ?? ''}">`,
  edits(visit, context): readonly YamlEdit[] {
    const { path, at } = sourceOf(visit, context);
    const { word = '', as } = visit.address.query;
    const key = as === 'notCompleted' ? 'notCompleted' : 'completed';
    const words = (at('status', key) ?? []) as readonly unknown[];
    if (word.trim() === '' || words.includes(word.trim())) return [];
    return [{ path: [...path, 'status', key, words.length], value: word.trim() }];
  },
  next: ({ address: { query } }) =>
    /^\d{1,15}$/.test(query.drop ?? '') ? `/decide/restage?drop=${query.drop}` : '/attention',
};

/** Whether requests are sent to an environment; its other settings are changed in the file alone. */
const environmentDoor: SettingsDoor = {
  path: '/settings/environments/:environment',
  title: ({ params: { environment: name = '' } }, context) =>
    `Environment ${environmentNamed(context.actionContext().config, name)}`,
  fields: (visit, context) =>
    textField({
      name: 'paused',
      label: 'Paused, because',
      value: shownIn(visit, 'paused', written(readWritten(context), pausedIn(visit))),
      setting: 'environments.name.paused',
      note: 'With a reason, nothing is sent to it and its rows wait. Empty: they are delivered.',
    }),
  edits: (visit, context) =>
    textEdit(visit, 'paused', pausedIn(visit), written(readWritten(context), pausedIn(visit))),
  more: (visit) => sectionOf('test', 'Test')`${testEnvironment(visit, visit.params.environment ?? '')}`,
};

/** A button that tests the address and the credentials of an environment. @param operation of a source that is to be added. */
export function testEnvironment(visit: Visit, environment: string, operation = ''): Html {
  const back = hrefOf(visit.address, {});
  return html`<form method="post" action="/settings/environments/${encodeURIComponent(environment)}/test">${formToken(visit)}${hiddenFields({ operation, back })}
<p class="buttons"><button class="second-choice">Test the platform</button> <span class="note">uses a few requests of the quota of ${environment}</span></p></form>`;
}

const SOUND = { look: 'good', words: 'can be used' };
/** What is said of an environment by its worst finding. */
const WORST_FIRST = [
  { verdict: 'broken', look: 'bad', words: 'can’t be used' },
  { verdict: 'attention', look: 'open', words: 'was not checked completely' },
];

export const TEST_ENVIRONMENT_FORM: Page = {
  path: '/settings/environments/:environment/test',
  async submit({ params: { environment = '' } }, fields, context) {
    const operation = findOperation(fields.one('operation'))?.name ?? null;
    // The queries' thread reads no files of secrets.
    const found = await checkEnvironment(context.actionContext(), environment, operation);
    const worst = WORST_FIRST.find(({ verdict }) => found.some((one) => one.verdict === verdict));
    const { look, words } = worst ?? SOUND;
    const back = fields.one('back') === '' ? '/settings' : ownPath(fields.one('back'));
    return {
      shown: {
        title: `${environment} ${words}`,
        section: '/settings',
        content: html`<ul class="notice ${look}" role="status">${found.map(({ message, remedy }) => html`<li>${message}${remedy === '' ? '' : html`. ${remedy}`}</li>`)}</ul>
<p class="buttons"><a href="${back}">Back</a></p>`,
      },
    };
  },
};

function pausedIn({ params: { environment: name = '' } }: Visit) {
  return ['environments', name, 'paused'];
}

const DOORS = [door, wordDoor, environmentDoor];

export const SOURCE_PAGES = DOORS.map(settingsPageOf);

/** The settings of the source that the address names, as registrar.yaml has them. */
function sourceOf({ params: { source: name = '' } }: Visit, context: ConsoleContext) {
  const file = readWritten(context);
  const path = ['sources', entryNamed(file, ['sources'], name)] as const;
  const at = (...keys: string[]) => written(file, [...path, ...keys]);
  const now = (at() ?? {}) as Readonly<Record<string, unknown>>;
  const fields = operationNamed(String(now.operation)).fields.map((field) => field.name);
  return { path, at, now, fields };
}

/** Words of the status of these rows that no list has, each with links that give it a meaning, and read its file again. */
export function unknownWords(rows: readonly ListedRow[]): Html {
  const words = new Map<string, { readonly row: ListedRow; readonly word: string }>();
  for (const row of rows) {
    const problem = row.problems.find(({ code }) => code === 'status-unknown');
    const word = row.fields.find(({ column }) => column !== null && column === problem?.column)?.inFile ?? '';
    const key = JSON.stringify([row.source, word.toLowerCase()]);
    if (word.trim() !== '' && !words.has(key)) words.set(key, { row, word: word.trim() });
  }
  if (words.size === 0) return html``;
  return html`<h2 id="words">Words of a status that are not known</h2>
<ul>${[...words.values()].map(({ row, word }) => {
    const to = (as: string) =>
      `/settings/sources/${encodeURIComponent(row.source)}/word?${new URLSearchParams({ word, as, drop: String(row.drop) })}`;
    return html`<li><q>${word}</q> of ${row.source}: <a href="${to('completed')}">Treat as completed</a> · <a href="${to('notCompleted')}">Treat as not completed</a></li>`;
  })}</ul>`;
}
