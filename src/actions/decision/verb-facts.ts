import type { Selectable, Selection } from '../../domain/selection.js';
import { BROWSABLE, DISMISSABLE, RERUNNABLE } from '../rows/selectable.js';

/** One value that a verb takes. The command line's words and options, the HTTP body and the form on a page follow from it. */
export interface Field {
  /** At the command line: `<drop>` and `[new]` are words, `--limit <n>` and `--reports` options. */
  readonly cli: string;
  /** For help, the HTTP interface and the label on a page; starts with a small letter. */
  readonly about: string;
  /** `pairs`: several `column=value`; `name`: a number counts as well in JSON; `type`: a type of identifier. */
  readonly kind: 'text' | 'flag' | 'number' | 'time' | 'pairs' | 'name' | 'type';
  readonly isRequired?: true;
  readonly mayBeEmpty?: true;
  /** For numbers: the default value and the maximum. */
  readonly default?: number;
  readonly max?: number;
}

/** A verb as data, without loading its code. */
export interface VerbFacts {
  /** For help and the HTTP interface; starts with a small letter. */
  readonly summary: string;
  /** The heading under which help lists its command. */
  readonly group: 'Correct' | 'Maintain';
  /** True if the decision requires a reason. */
  readonly needsReason: boolean;
  /** Which rows it is about. With `or`, the field that may take their place. Absent: it isn't about a selection. */
  readonly rows?: { readonly selectable: Selectable; readonly or?: string };
  readonly fields: Readonly<Record<string, Field>>;
  readonly examples: readonly [string, string, ...string[]];
  /** The HTTP operation, below `/api/v1`; absent: there is none. */
  readonly path?: `/${string}`;
  /** The page that shows what it would do, and decides it; absent: it has another page, or none. */
  readonly page?: {
    readonly title: string;
    readonly button: string;
    readonly section: '/attention' | '/learners' | '/files';
    /** True where other pages show what would be done, and send no figures: then a reason is enough. */
    readonly isShownElsewhere?: true;
  };
}

/** Decisions by name, with their fields, for the command line, the console and the API. */
export const VERBS = {
  rerun: {
    summary: 'deliver again what was refused, failed, is in doubt or is held',
    group: 'Correct',
    needsReason: false,
    rows: { selectable: RERUNNABLE },
    fields: {},
    examples: [
      'registrar rerun --state rejected,failed --run 12 --dry-run',
      'registrar rerun --learner jane@example.com --because "her account is there now"',
    ],
    path: '/reruns',
    page: { title: 'Rerun rows', button: 'Rerun them', section: '/attention' },
  },
  dismiss: {
    summary: 'close rows, or a refused file: they are kept and not sent',
    group: 'Correct',
    needsReason: true,
    rows: { selectable: DISMISSABLE, or: 'drop' },
    fields: {
      drop: {
        cli: '--drop <n>',
        about: 'this refused file, by its number; a file name closes the refused files of that name as well',
        kind: 'number',
      },
    },
    examples: [
      'registrar dismiss --row 17 18 --because "test accounts"',
      'registrar dismiss --state invalid --file completions.csv --because "a test export"',
    ],
    path: '/dismissals',
    page: { title: 'Dismiss', button: 'Dismiss', section: '/attention' },
  },
  map: {
    summary: 'map a learner to another identifier, in staged rows and future files',
    group: 'Correct',
    needsReason: true,
    fields: {
      old: { cli: '[old]', about: 'the identifier in the files', kind: 'text', isRequired: true },
      new: {
        cli: '[new]',
        about: "the identifier that the platform knows; without it: the learners it doesn't know",
        kind: 'text',
        isRequired: true,
      },
      type: { cli: '--type <type>', about: 'the type of OLD; default: that of its rows', kind: 'type' },
      newType: { cli: '--new-type <type>', about: 'the type of NEW; default: the same', kind: 'type' },
    },
    examples: [
      'registrar map',
      'registrar map jane@old.example jane@new.example --because "she has married"',
    ],
    path: '/mappings',
    page: { title: 'Map a learner', button: 'Map', section: '/learners', isShownElsewhere: true },
  },
  correct: {
    summary: 'correct a row that needs attention',
    group: 'Correct',
    needsReason: true,
    fields: {
      row: { cli: '<row>', about: 'file.csv:217, 12:217 or #3', kind: 'text', isRequired: true },
      values: {
        cli: '--set <column=value>',
        about: 'the right value of a column, by its header or its field; required, may be repeated',
        kind: 'pairs',
        isRequired: true,
      },
    },
    examples: [
      'registrar correct completions.csv:217 --set "Email=jane@example.com" --dry-run',
      'registrar correct "#3" --set Score=85 --because "misread"',
    ],
    path: '/corrections',
  },
  replace: {
    summary: 'find and replace a text in a column',
    group: 'Correct',
    needsReason: true,
    rows: { selectable: BROWSABLE },
    fields: {
      column: { cli: '--column <header>', about: 'the header of the column', kind: 'text', isRequired: true },
      find: { cli: '--find <text>', about: 'the text to find; case matters', kind: 'text', isRequired: true },
      with: {
        cli: '--with <text>',
        about: 'what takes its place; may be empty',
        kind: 'text',
        isRequired: true,
        mayBeEmpty: true,
      },
    },
    examples: [
      'registrar replace --reason email-invalid --column Email --find "(at)" --with @ --dry-run',
      'registrar replace --file may.csv --column Score --find , --with . --because "a German export"',
    ],
    path: '/replacements',
    page: { title: 'Find and replace', button: 'Correct them', section: '/attention' },
  },
  restage: {
    summary: "read a file's invalid rows again, after its source was corrected",
    group: 'Correct',
    needsReason: false,
    fields: {
      drop: { cli: '<drop>', about: 'the file, by its name or number', kind: 'name', isRequired: true },
      limit: {
        cli: '--limit <n>',
        about: 'how many requests of new rows a preview shows',
        kind: 'number',
        default: 20,
        max: 1_000,
      },
    },
    examples: [
      'registrar restage 3 --dry-run',
      'registrar restage october.csv --because "the zone was missing"',
    ],
    path: '/restages',
    page: { title: 'Re-read a file', button: 'Re-read rows', section: '/files' },
  },
  purge: {
    summary: 'clear the content of old rows; counts, hashes and keys stay, so that nothing is sent again',
    group: 'Maintain',
    needsReason: false,
    fields: {
      before: {
        cli: '--before <time>',
        about: 'of files imported before this day or time (UTC)',
        kind: 'time',
        isRequired: true,
      },
      archive: { cli: '--archive', about: 'also delete archived files without open rows', kind: 'flag' },
    },
    examples: [
      'registrar purge --before 2024-01-01 --dry-run',
      'registrar purge --before 2024-01-01 --archive --because "kept for a year"',
    ],
  },
  forget: {
    summary: 'erase a person from the ledger for good, and prove it; name no person in the reason',
    group: 'Maintain',
    needsReason: true,
    fields: {
      learner: {
        cli: '<learner>',
        about: 'an identifier of the person; future rows about them are not kept',
        kind: 'text',
        isRequired: true,
      },
      type: { cli: '--type <type>', about: 'the type of the identifier; default: every type', kind: 'type' },
      reports: { cli: '--reports', about: 'also delete report files that name the person', kind: 'flag' },
    },
    examples: [
      'registrar forget jane@example.com --dry-run',
      'registrar forget jane@example.com --because "her request of 3 March"',
    ],
  },
} as const satisfies Readonly<Record<string, VerbFacts>>;

export type VerbName = keyof typeof VERBS;

/** The same without the types of its own fields. */
export function factsOf(name: VerbName): VerbFacts {
  return VERBS[name];
}

/** True where a request can't do without selected rows: it is about rows, and nothing takes their place. */
export function needsRows(name: VerbName, request: Readonly<Record<string, unknown>>): boolean {
  const { rows } = factsOf(name);
  return rows !== undefined && (rows.or === undefined || request[rows.or] === undefined);
}

/** What a request has: the verb's fields, and the selected rows. */
export type RequestOf<Name extends VerbName> = FieldsOf<(typeof VERBS)[Name]['fields']> &
  ((typeof VERBS)[Name] extends { readonly rows: infer Rows }
    ? { readonly selection: Rows extends { readonly or: string } ? Selection | null : Selection }
    : unknown);

type FieldsOf<Fields> = { readonly [Name in Present<Fields>]: Value<Fields[Name]> } & {
  readonly [Name in Exclude<keyof Fields, Present<Fields>>]?: Value<Fields[Name]> | undefined;
};

/** The fields that a request always has. */
type Present<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends
    | { readonly isRequired: true }
    | { readonly default: number }
    | { readonly kind: 'flag' }
    ? Name
    : never;
}[keyof Fields];

type Value<One> = One extends { readonly kind: 'number' }
  ? number
  : One extends { readonly kind: 'flag' }
    ? boolean
    : One extends { readonly kind: 'pairs' }
      ? readonly string[]
      : string;
