/** Inputs or options as help shows them; a text alone is the description. */
export type Words = Readonly<Record<string, string | Word>>;

export interface Word {
  readonly description?: string;
  readonly isRequired?: boolean;
  readonly choices?: readonly string[];
  readonly default?: unknown;
  /** Options that can't be given with this one, as commander names them: `newLedger`. */
  readonly conflicts?: readonly string[];
  /** Throws OperatorError for a wrong value. @param before the values so far, of an option that may be repeated. */
  parse?(text: string, before: never): unknown;
}

export function wordOf(about: string | Word): Word {
  return typeof about === 'string' ? { description: about } : about;
}

/** What commander makes of the options of a command, and of those that every command has. */
export type OptionsOf<Facts extends { readonly options?: Words }> = CommonOptions &
  (Facts extends { readonly options: infer Own extends Words } ? ValuesOf<Own> : unknown);

type ValuesOf<Own> = {
  readonly [Flags in keyof Own as Present<Own[Flags], Flags>]: Value<Own[Flags], Flags>;
} & {
  readonly [Flags in keyof Own as Exclude<Name<Flags>, Present<Own[Flags], Flags>>]?: Value<
    Own[Flags],
    Flags
  >;
};

/** `dryRun` of `--dry-run`, `push` of `--no-push`, `row` of `--row <id...>`. */
type Name<Flags> = Flags extends `--no-${infer Rest}`
  ? Camel<Rest>
  : Flags extends `--${infer Rest} <${string}` | `--${infer Rest}`
    ? Camel<Rest>
    : never;

type Camel<Text> = Text extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Text;

/** The name where a value is never left out. */
type Present<About, Flags> = About extends { readonly isRequired: true } | { readonly default: unknown }
  ? Name<Flags>
  : never;

type Value<About, Flags> = About extends { parse(text: string, before: never): infer Parsed }
  ? Parsed
  : Flags extends `${string}...>`
    ? readonly string[]
    : Flags extends `${string}>`
      ? Choice<About>
      : boolean;

type Choice<About> = About extends Word & { readonly choices: readonly (infer One)[] } ? One : string;

export const COMMON_OPTIONS = {
  '--workspace <dir>': 'the workspace (else REGISTRAR_WORKSPACE, else the current folder)',
  '--json': 'one JSON document on stdout',
  '--quiet': 'print errors only',
  '--verbose': 'log every step',
} as const satisfies Words;

/** What they give; `changed` is an option of run alone, which all that is shown heeds. */
export type CommonOptions = ValuesOf<typeof COMMON_OPTIONS> & { readonly changed?: boolean };
