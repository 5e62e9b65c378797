import type { Issue } from '../../domain/issue.js';
import { UNSAVED_FORMULA } from '../../domain/row.js';
import type { Field } from '../../operations/operation.js';
import { nearestHeader } from '../header/nearest-header.js';
import { SAVE_VALUES, shown } from '../values/reading.js';
import type { IdentifierKind } from './identifier-kind.js';

/** Several columns could be the field, and nothing ranks one before the others. */
export function ambiguousHeader(
  field: Field,
  found: readonly { readonly header: string; readonly index: number }[],
): Issue {
  const names = found.map((column) => `"${shown(column.header)}" (column ${column.index + 1})`);
  return {
    code: 'header-ambiguous',
    column: found[0]?.header ?? null,
    value: null,
    message: `${names.join(' and ')} could each be ${field.name}`,
    remedy: `name the right one: columns: { ${field.name}: … } for the source in registrar.yaml; where both have the same name, rename one in the file`,
  };
}

/** A column of short times stands beside dates without times. */
export function timeOrDuration(field: Field, header: string, date: string): Issue {
  return {
    code: 'header-ambiguous',
    column: header,
    value: null,
    message: `the column "${shown(header)}" may hold the time of day of "${shown(date)}", or how long it took`,
    remedy: `say it for the source in registrar.yaml: columns: { ${field.name}: ${shown(header)} } for the time of day, else columns: { ${field.name}: null }`,
  };
}

/** The source names a column that the file lacks. */
export function missingColumn(field: Field, wanted: string, headers: readonly string[]): Issue {
  const nearest = nearestHeader(wanted, headers);
  const hint = nearest === null ? '' : `; did you mean "${shown(nearest)}"?`;
  return {
    code: 'header-missing',
    column: wanted,
    value: null,
    message: `the file has no column "${wanted}", which registrar.yaml names for ${field.name}${hint}`,
    remedy: `correct columns: { ${field.name}: … } for the source in registrar.yaml, or the header of the file`,
  };
}

/** Headers are formulas whose values the file doesn't hold. `columns` count from 1. */
export function unsavedHeader(line: number, columns: readonly number[]): Issue {
  const places = columns.slice(0, SHOWN_HEADERS).join(', ');
  return {
    code: 'header-missing',
    column: null,
    value: null,
    message: `in line ${line} the header of column ${places} is ${UNSAVED_FORMULA}`,
    remedy: SAVE_VALUES,
  };
}

/** The line below continues the header: one of the two lines names what the other leaves open. */
export function twoHeaderLines(first: number, second: number, names: readonly string[]): Issue {
  const shownNames = names.slice(0, SHOWN_HEADERS).map((name) => `"${shown(name)}"`);
  return {
    code: 'header-ambiguous',
    column: null,
    value: null,
    message: `the header in line ${first} seems to go on in line ${second} with ${shownNames.join(', ')}: a column has two names, and which counts is not clear`,
    remedy:
      'have the file exported with one header line, without merged cells; or remove one of the two lines',
  };
}

/** As many headers as a sentence bears. */
const SHOWN_HEADERS = 20;

/** No header is known for a field that a record needs; `remedy` is for all that are missing. */
export function missingField(field: Field, unmapped: readonly string[], remedy: string): Issue {
  const others = unmapped.slice(0, SHOWN_HEADERS).map((header) => `"${shown(header)}"`);
  const more = unmapped.length > SHOWN_HEADERS ? ' and more' : '';
  return {
    code: 'header-missing',
    column: field.name,
    value: null,
    message: `no column is known to be ${field.name}${others.length === 0 ? '' : `; not used are ${others.join(', ')}${more}`}`,
    remedy,
  };
}

/** A column holds identifiers whose type is unknown. */
export function unclearType(field: Field, header: string, { type, values }: IdentifierKind): Issue {
  const others = field.choices?.filter((choice) => choice !== type).join(', ');
  return {
    code: 'header-missing',
    column: field.name,
    value: null,
    message: `the column "${shown(header)}" does not say what kind of identifier it holds${values === null ? '' : `; its values ${values}`}`,
    remedy: `say the kind for the source in registrar.yaml: defaults: { ${field.name}: ${type} }, or ${others}`,
  };
}
