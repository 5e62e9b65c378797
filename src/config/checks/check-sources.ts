import type { Operation } from '../../operations/operation.js';
import { findOperation } from '../../operations/registry.js';
import { suggestion } from '../did-you-mean.js';
import { hasShortYear } from '../values/date-pattern.js';
import { globMatcher } from '../values/glob.js';
import { httpsFileName } from '../values/https-file-name.js';
import { inboxFolder, realFolder } from '../values/inbox-folder.js';
import { checkResults } from './check-results.js';
import type { ConfigDraft, SourceDraft } from './draft.js';
import { formatPath, type Mistake, type Path } from './mistake.js';

/**
 * The rules for sources that the schema can't express: the names that they use exist, they don't share a name or
 * an inbox, and their fields are fields of the operation.
 * @param workspace the folder that relative inboxes start from.
 */
export function checkSources(draft: ConfigDraft, workspace: string): readonly Mistake[] {
  return [
    ...checkEnvironments(draft),
    ...checkNames(draft),
    ...checkInboxes(draft, workspace),
    ...checkPatterns(draft),
    ...checkControls(draft),
    ...checkExpected(draft),
    ...checkSheets(draft),
    ...checkKeys(draft),
    ...checkRemotes(draft),
    ...checkResults(draft, workspace),
    ...draft.sources.flatMap((source, index) => {
      const operation = source.operation === undefined ? undefined : findOperation(source.operation);
      if (operation === undefined) return [];
      const path = ['sources', index];
      return [
        ...checkFields(operation, source.columns, [...path, 'columns']),
        ...checkFields(operation, source.defaults, [...path, 'defaults']),
        ...checkChoices(operation, source.defaults ?? {}, [...path, 'defaults']),
        ...checkTimes(operation, source.defaults ?? {}, [...path, 'defaults']),
      ];
    }),
  ];
}

function checkEnvironments(draft: ConfigDraft): Mistake[] {
  const names = Object.keys(draft.environments);
  return draft.sources.flatMap(({ environment }, index) =>
    unknownName(environment, names, 'environments', ['sources', index, 'environment']),
  );
}

/** The machine's zone is UTC on many servers: there a time without a zone would silently be hours off. */
function checkExpected(draft: ConfigDraft): Mistake[] {
  return draft.sources.flatMap(({ expect, timeZone }, index) =>
    expect?.by === undefined || expect.timeZone !== undefined || timeZone !== undefined
      ? []
      : [
          {
            path: ['sources', index, 'expect', 'timeZone'],
            text: `is missing: by ${expect.by} needs the IANA time zone of its clock, such as Europe/Berlin`,
          },
        ],
  );
}

/** @returns the mistake of a name that a list of names doesn't have; [] where there is none. */
export function unknownName(
  name: string | undefined,
  names: readonly string[],
  list: string,
  path: Path,
): Mistake[] {
  // Without any names at all, that is the mistake to report.
  if (name === undefined || names.length === 0 || names.includes(name)) return [];
  return [{ path, text: `is not one of ${list}${suggestion(name, names)}`, showValue: true }];
}

/** Compared without case: two names that differ in case alone are one folder on some disks. */
function checkNames(draft: ConfigDraft): Mistake[] {
  return repeated(draft.sources.map(({ name }) => name?.toLowerCase())).map(([index, first]) => ({
    path: ['sources', index, 'name'],
    text: `is the name of ${formatPath(['sources', first])} already (whatever the case); choose another`,
    showValue: true,
  }));
}

function checkInboxes(draft: ConfigDraft, workspace: string): Mistake[] {
  const folders = draft.sources.map(({ name, inbox }) =>
    name === undefined ? undefined : realFolder(inboxFolder(workspace, { name, inbox })),
  );
  const names = draft.sources.map(({ name }) => name?.toLowerCase());
  return repeated(folders)
    .filter(([index, first]) => names[index] !== names[first])
    .map(([index, first]) => {
      const own = draft.sources[index]?.inbox !== undefined;
      return {
        path: own ? ['sources', index, 'inbox'] : ['sources', index],
        text: `${own ? 'is' : 'reads'} the folder that ${formatPath(['sources', first])} reads; give each source its own`,
        showValue: own,
      };
    });
}

/** A year of two digits is ambiguous without its century. */
function checkPatterns(draft: ConfigDraft): Mistake[] {
  return draft.sources.flatMap(({ datePatterns, twoDigitYears }, index) =>
    twoDigitYears !== undefined
      ? []
      : (datePatterns ?? []).flatMap((pattern, position) =>
          hasShortYear(pattern)
            ? [
                {
                  path: ['sources', index, 'datePatterns', position],
                  text: 'has a year of two digits; set the first of their hundred years: twoDigitYears: 1970 (for instance)',
                  showValue: true,
                },
              ]
            : [],
        ),
  );
}

/** `sheet` is short for one sheet; each of several sheets is a drop, and the bounds are those of a drop. */
function checkSheets(draft: ConfigDraft): Mistake[] {
  return draft.sources.flatMap(({ sheet, sheets, control }, index) => {
    if (sheets === undefined) return [];
    const path = ['sources', index];
    return [
      ...(sheet === undefined
        ? []
        : [
            {
              path: [...path, 'sheets'],
              text: 'can’t be combined with sheet, which is short for one sheet; keep one of the two',
            },
          ]),
      ...(control === undefined
        ? []
        : [
            {
              path: [...path, 'control'],
              text: 'can’t be combined with sheets, each of which is counted by itself; remove it, or have the table exported as one text file',
            },
          ]),
    ];
  });
}

/** Without a private key nothing can be decrypted, and of two it would not be known which counts. */
function checkKeys(draft: ConfigDraft): Mistake[] {
  return draft.sources.flatMap(({ decrypt }, index) => {
    if (decrypt === undefined || (decrypt.key === undefined) !== (decrypt.keyFile === undefined)) return [];
    const text =
      decrypt.key === undefined
        ? 'names no private key; write keyFile, or key with a reference to a variable'
        : 'has both key and keyFile; keep one of the two';
    return [{ path: ['sources', index, 'decrypt'], text }];
  });
}

/** One place, one way to sign in, and a file that the source takes. */
function checkRemotes(draft: ConfigDraft): Mistake[] {
  return draft.sources.flatMap(({ inbox, match }, index) => {
    if (typeof inbox !== 'object') return [];
    const path = ['sources', index, 'inbox'];
    const kinds = (['sftp', 's3', 'https'] as const).filter((kind) => inbox[kind] !== undefined);
    if (kinds.length > 1)
      return [{ path, text: `has ${kinds.join(' and ')}; a source has one remote inbox` }];
    const { https } = inbox;
    if (https === undefined) return [];
    const { url, file, user, password, token } = https;
    const name = httpsFileName(url, file);
    const at = [...path, 'https'];
    if (name === null)
      return [{ path: [...at, 'file'], text: 'is missing: url ends with no name of a file' }];
    if (match !== undefined && !globMatcher(match)(name)) {
      return [
        {
          path: at,
          text: `fetches ${name}, which match of the source doesn't cover; write file, or widen match`,
        },
      ];
    }
    return (token === undefined || user === undefined) && (user === undefined) === (password === undefined)
      ? []
      : [{ path: at, text: 'needs token, or both user and password, or none of them' }];
  });
}

/** Impossible bounds would let no file pass. */
function checkControls(draft: ConfigDraft): Mistake[] {
  return draft.sources.flatMap(({ control }, index) => {
    const { min, max } = control?.rows ?? {};
    return min !== undefined && max !== undefined && max < min
      ? [
          {
            path: ['sources', index, 'control', 'rows', 'max'],
            text: 'is smaller than rows.min; make it larger, or rows.min smaller',
            showValue: true,
          },
        ]
      : [];
  });
}

function checkFields(operation: Operation, fields: SourceDraft['columns'], path: Path): Mistake[] {
  const names = operation.fields.map((field) => field.name);
  return Object.keys(fields ?? {})
    .filter((name) => !names.includes(name))
    .map((name) => ({
      path: [...path, name],
      text: `is not a field of ${operation.name}${suggestion(name, names)}`,
    }));
}

function checkChoices(
  operation: Operation,
  defaults: NonNullable<SourceDraft['defaults']>,
  path: Path,
): Mistake[] {
  return operation.fields.flatMap(({ name, choices }) => {
    const value = Object.hasOwn(defaults, name) ? defaults[name] : undefined;
    if (value === undefined || choices === undefined) return [];
    if (choices.some((choice) => choice.toLowerCase() === value.toLowerCase())) return [];
    const text = `is not a value of this field${suggestion(value, choices)}`;
    return [{ path: [...path, name], text, showValue: true }];
  });
}

/** `dateOnly` sets the time of day of a date without one. */
function checkTimes(
  operation: Operation,
  defaults: NonNullable<SourceDraft['defaults']>,
  path: Path,
): Mistake[] {
  const times = operation.fields.filter(({ name, kind }) => kind === 'time' && Object.hasOwn(defaults, name));
  const text = 'takes no default; dateOnly of the source sets the time of day of a date without one';
  return times.map(({ name }) => ({ path: [...path, name], text }));
}

/** Positions of values seen before, each with the position of the first. */
function repeated(values: readonly (string | undefined)[]): [index: number, first: number][] {
  return values.flatMap((value, index) => {
    const first = values.indexOf(value);
    return value === undefined || first === index ? [] : [[index, first] as [number, number]];
  });
}
