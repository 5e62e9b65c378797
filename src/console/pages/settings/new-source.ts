import type { QueryResult } from '../../../actions/browse/queries.js';
import { DATE_ORDERS, SCALES } from '../../../actions/setup/setup-answers.js';
import { discardSample, type NewSourceRequest } from '../../../actions/setup/source.js';
import { sizeWords } from '../../../config/values/file-size.js';
import { OPERATIONS } from '../../../operations/registry.js';
import { type Html, html } from '../../../report/page/html.js';
import type { Visit } from '../../work/visit.js';
import { details, verdictText } from '../files/upload.js';
import { type Page, type PageView, sectionOf } from '../page.js';
import {
  CHANGED_SINCE,
  choiceField,
  choicesOf,
  explainedChoices,
  formToken,
  hiddenFields,
  notice,
  textField,
} from '../parts/fields.js';
import { expectedRefusal, pageNotFound } from '../problem.js';
import { changeHtml, mistakes, saved } from './change.js';
import { testEnvironment } from './source.js';

type NewSource = NonNullable<QueryResult<'newSource'>>;

/** Where a sample of a new source's files is sent, with its name and what its rows do. */
export function newSourceForm(visit: Visit): Html {
  const { environments, console } = visit.actionContext().config;
  const names = Object.keys(environments);
  const operations = choicesOf(OPERATIONS.map(({ name }) => name));
  return sectionOf('new-source', 'Add a source')`
<form method="post" action="/files/upload" enctype="multipart/form-data">${formToken(visit)}
<div class="fields">${textField({ name: 'new', label: 'Name', value: '', isRequired: true, note: 'Such as academy. Letters, digits, dots and dashes.' })}
${choiceField({ name: 'operation', label: 'What each row does', value: 'submit-completion' }, operations)}
${choiceField({ name: 'environment', label: 'Environment', value: names[0] ?? '' }, choicesOf(names))}
<p class="field"><label for="sample">A real export</label>
<input id="sample" name="file" type="file" required aria-describedby="sample-note">
<small id="sample-note">Up to ${sizeWords(console.largestUploadBytes)}. Nothing is imported: you see how it would be read.</small></p></div>
<p class="buttons"><button>Preview</button></p></form>`;
}

/** How the files of a new source would be read, by a sample of them; its fields change that, until it is saved. */
export const newSourcePage: Page = {
  path: '/settings/sources/:source/new/:id',
  roles: ['operator'],
  show: (visit) => shown(visit, null),
  async submit(visit, sent) {
    const planned = await visit.query('newSource', requestOf(visit));
    if (planned === null) return { page: pageNotFound() };
    if (sent.one('fingerprint') !== planned.change.fingerprint)
      return { page: { ...(await shown(visit, CHANGED_SINCE)), status: 409 } };
    const { source: name = '', id = '' } = visit.params;
    await saved(visit, planned.change);
    return { to: `/files/uploads/${name}/${id}` };
  },
  forms: {
    async discard(visit) {
      const { source = '', id = '' } = visit.params;
      await discardSample(visit.actionContext(), { source, id });
      return { to: '/settings' };
    },
  },
};

async function shown(visit: Visit, message: string | null): Promise<PageView> {
  const { source: name = '' } = visit.params;
  const title = `New source ${name}`;
  try {
    const planned = await visit.query('newSource', requestOf(visit));
    if (planned === null) return pageNotFound();
    return { title, section: '/settings', content: html`${notice(message)}${page(visit, planned)}` };
  } catch (error) {
    const { message, hint } = expectedRefusal(error);
    return {
      title,
      section: '/settings',
      status: 422,
      content: html`${mistakes([message, hint].filter((line) => line !== '').join('\n'))}
<p class="buttons"><a href="${visit.address.path}">Start again from the sample</a></p>${discard(visit)}`,
    };
  }
}

function page(visit: Visit, planned: NewSource): Html {
  const { check, change, guesses } = planned;
  const look = check.dispositions === null ? 'bad' : check.isClean ? 'good' : 'open';
  const action = `${visit.address.path}?${new URLSearchParams(visit.address.query)}`;
  return html`<p class="notice ${look}" role="status">${verdictText(check)}</p>
${sectionOf('reading', 'How its files are read')`
<form method="get" action="${visit.address.path}">${fields(visit, planned)}
<p class="buttons"><button class="second-choice">Preview again</button></p></form>`}
${sectionOf('save', 'What would change in registrar.yaml')`
${guesses.length === 0 ? '' : html`<p class="note">Guessed: ${guesses.map(({ key, value }) => `${key} ${value}`).join(', ')}. Saving confirms it.</p>`}
${changeHtml(change.lines)}
<form method="post" action="${action}">${formToken(visit)}${hiddenFields({ fingerprint: change.fingerprint })}
<p class="buttons"><button>Save this source</button></p></form>
${discard(visit)}
${testEnvironment(visit, planned.environment, visit.address.query.operation)}`}
${details(check)}`;
}

function discard(visit: Visit): Html {
  return html`<form method="post" action="${visit.address.path}/discard">${formToken(visit)}<p class="buttons"><button class="second-choice">Discard</button></p></form>`;
}

function fields({ address: { query } }: Visit, planned: NewSource): Html {
  const { sample, questions } = planned;
  const shownValues = new Map(
    questions.sampleColumns.map(({ header, values }) => [header, values.join(' · ')]),
  );
  const headers = [
    { value: '', label: 'no column' },
    ...questions.sampleColumns.map(({ header, values }) => ({
      value: oneLine(header),
      label: values.length === 0 ? header : `${header} (${values.join(' · ')})`,
    })),
  ];
  const columns = planned.fields.map(({ name, required }) => {
    const header = oneLine(sample.columns.find(({ field }) => field === name)?.header ?? '');
    const label = required ? `${name} (required)` : name;
    const proposed = sample.defaults.find(({ field }) => field === name)?.value;
    const note =
      proposed === undefined
        ? sample.missing.find(({ field }) => field === name)?.reason
        : `For all rows: ${proposed}.`;
    const value = query[`column-${name}`] ?? header;
    return html`${choiceField({ name: `column-${name}`, label, value, setting: 'sources[].columns', note }, headers)}
${hiddenFields({ [`found-${name}`]: query[`found-${name}`] ?? header })}`;
  });
  const zone = query.timeZone ?? sample.settings.find(({ key }) => key === 'timeZone')?.value ?? '';
  const open = (key: 'dateOrder' | 'scale', label: string, words: Readonly<Record<string, string>>) => {
    const column = questions[key];
    const note = column ? `Several fit ${column.header}: ${shownValues.get(column.header) ?? ''}` : undefined;
    const facts = { name: key, label, value: query[key] ?? '', setting: `sources[].${key}`, note };
    return choiceField(facts, explainedChoices(words, 'as the column proves'));
  };
  return html`${hiddenFields({ operation: sample.operation, environment: query.environment ?? '' })}
<div class="fields">${columns}</div>
${planned.fields.some(({ name }) => name === 'completed-at') ? textField({ name: 'timeZone', label: 'Time zone', value: zone, setting: 'sources[].timeZone', note: 'Of times that name none, such as Europe/Berlin. Empty: this machine’s.' }) : ''}
${open('dateOrder', 'Order of dates', DATE_ORDERS)}
${open('scale', 'Scale of scores', SCALES)}
${questions.defaults.map(({ field, value, choices, reason }) => {
  const facts = {
    name: `default-${field}`,
    label: `${field}, for all rows`,
    value: query[`default-${field}`] ?? value ?? '',
    note: reason,
  };
  return choices.length === 0
    ? textField(facts)
    : choiceField(facts, [{ value: '', label: 'none' }, ...choicesOf(choices)]);
})}
${entered(query, 'default-')
  .filter(([name, value]) => value !== '' && !questions.defaults.some(({ field }) => name === field))
  .map(([name, value]) => textField({ name: `default-${name}`, label: `${name}, for all rows`, value }))}`;
}

/** The fields whose names begin so, without that beginning. */
function entered(query: Visit['address']['query'], prefix: string) {
  return Object.entries(query).flatMap(([name, value]) =>
    name.startsWith(prefix) ? [[name.slice(prefix.length), value.trim()] as const] : [],
  );
}

/** A header without the line ends of a workbook's cell, which a form can't send; it is found by this all the same. */
function oneLine(header: string): string {
  return header.replace(/\s+/g, ' ');
}

/** What the page's address says about the source. A column that is as it was found is no answer. */
function requestOf({ params, address: { query } }: Visit): NewSourceRequest {
  const columns = entered(query, 'column-').filter(
    ([field, header]) => header !== (query[`found-${field}`] ?? ''),
  );
  const defaults = entered(query, 'default-').filter(([, value]) => value !== '');
  const answer = (key: 'dateOrder' | 'scale' | 'timeZone') =>
    query[key] === undefined || query[key] === '' ? {} : { [key]: query[key] };
  return {
    source: params.source ?? '',
    id: params.id ?? '',
    operation: query.operation ?? 'submit-completion',
    environment: query.environment || undefined,
    answers: {
      columns: Object.fromEntries(columns.map(([field, header]) => [field, header === '' ? null : header])),
      defaults: Object.fromEntries(defaults),
      ...answer('dateOrder'),
      ...answer('scale'),
      ...answer('timeZone'),
    },
  };
}
