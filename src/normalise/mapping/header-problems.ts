import type { Issue } from '../../domain/issue.js';
import { UNSAVED_FORMULA } from '../../domain/row.js';
import type { Field } from '../../operations/operation.js';
import { nearestHeader } from '../header/header-text.js';
import { issueOf, SAVE_VALUES, shown } from '../values/reading.js';
import type { IdentifierKind } from './identifier-kind.js';

/** Several columns could be the field, and nothing ranks one before the others. */
export function ambiguousHeader(
  field: Field,
  found: readonly { readonly header: string; readonly index: number }[],
): Issue {
  const names = found.map((column) => `"${shown(column.header)}" (column ${column.index + 1})`);
  const message = `${names.join(' and ')} could each be ${field.name}`;
  const remedy = `name the right one: columns: { ${field.name}: … } for the source in registrar.yaml; where both have the same name, rename one in the file`;
  return issueOf('header-ambiguous', found[0]?.header ?? null, message, remedy);
}

/** A column of short times stands beside dates without times. */
export function timeOrDuration(field: Field, header: string, date: string): Issue {
  const message = `the column "${shown(header)}" may hold the time of day of "${shown(date)}", or how long it took`;
  const remedy = `say it for the source in registrar.yaml: columns: { ${field.name}: ${shown(header)} } for the time of day, else columns: { ${field.name}: null }`;
  return issueOf('header-ambiguous', header, message, remedy);
}

/** The source names a column that the file lacks. */
export function missingColumn(field: Field, wanted: string, headers: readonly string[]): Issue {
  const nearest = nearestHeader(wanted, headers);
  const hint = nearest === null ? '' : `; did you mean "${shown(nearest)}"?`;
  const message = `the file has no column "${wanted}", which registrar.yaml names for ${field.name}${hint}`;
  const remedy = `correct columns: { ${field.name}: … } for the source in registrar.yaml, or the header of the file`;
  return issueOf('header-missing', wanted, message, remedy);
}

/** Headers are formulas whose values the file doesn't hold. `columns` count from 1. */
export function unsavedHeader(line: number, columns: readonly number[]): Issue {
  const places = columns.slice(0, SHOWN_HEADERS).join(', ');
  const message = `in line ${line} the header of column ${places} is ${UNSAVED_FORMULA}`;
  return issueOf('header-missing', null, message, SAVE_VALUES);
}

/** The line below continues the header: one of the two lines names what the other leaves open. */
export function twoHeaderLines(first: number, second: number, names: readonly string[]): Issue {
  const shownNames = names.slice(0, SHOWN_HEADERS).map((name) => `"${shown(name)}"`);
  const message = `the header in line ${first} seems to go on in line ${second} with ${shownNames.join(', ')}: a column has two names, and which counts is not clear`;
  const remedy =
    'have the file exported with one header line, without merged cells; or remove one of the two lines';
  return issueOf('header-ambiguous', null, message, remedy);
}

/** As many headers as a sentence bears. */
const SHOWN_HEADERS = 20;

/** No header is known for a field that a record needs; `remedy` is for all that are missing. */
export function missingField(field: Field, unmapped: readonly string[], remedy: string): Issue {
  const others = unmapped.slice(0, SHOWN_HEADERS).map((header) => `"${shown(header)}"`);
  const more = unmapped.length > SHOWN_HEADERS ? ' and more' : '';
  const message = `no column is known to be ${field.name}${others.length === 0 ? '' : `; not used are ${others.join(', ')}${more}`}`;
  return issueOf('header-missing', field.name, message, remedy);
}

/** A column holds identifiers whose type is unknown. */
export function unclearType(field: Field, header: string, { type, values }: IdentifierKind): Issue {
  const others = field.choices?.filter((choice) => choice !== type).join(', ');
  const message = `the column "${shown(header)}" does not say what kind of identifier it holds${values === null ? '' : `; its values ${values}`}`;
  const remedy = `say the kind for the source in registrar.yaml: defaults: { ${field.name}: ${type} }, or ${others}`;
  return issueOf('header-missing', field.name, message, remedy);
}
