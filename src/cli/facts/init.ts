import { OPERATIONS } from '../../operations/registry.js';
import { SCALE_NAMES } from '../../operations/score-scales.js';
import type { CommandFacts } from '../command.js';
import type { CommonOptions } from '../io.js';

/** Options of `registrar init`. */
export interface InitOptions extends CommonOptions {
  readonly sample?: string;
  readonly operation?: string;
  readonly source?: string;
  readonly baseUrl?: string;
  readonly authUrl?: string;
  readonly clientIdEnv?: string;
  readonly clientSecretEnv?: string;
  readonly timeZone?: string;
  /** `FIELD=HEADER` each. */
  readonly column?: readonly string[];
  /** `FIELD=VALUE` each. */
  readonly default?: readonly string[];
  readonly dateOrder?: string;
  readonly scale?: string;
  readonly yes?: boolean;
  readonly newLedger?: boolean;
}

/** `registrar init`: a commented registrar.yaml and the folders. */
export const initFacts: CommandFacts = {
  name: 'init',
  description:
    'write a commented registrar.yaml and the folders; infer the mapping from a sample. On a terminal it asks for what no option says',
  inputs: [{ name: '[dir]' }],
  options: [
    { flags: '--sample <file>', description: 'a real export, whose columns are mapped and commented' },
    {
      flags: '--operation <name>',
      description: 'what each row does on the platform; default: submit-completion',
      choices: OPERATIONS.map(({ name }) => name),
    },
    { flags: '--source <name>', description: 'name of the source; else that of the sample' },
    { flags: '--base-url <address>', description: 'address of the platform' },
    { flags: '--auth-url <address>', description: 'URL of the token server; default: the platform address' },
    {
      flags: '--client-id-env <name>',
      description: 'environment variable of the client id; else REGISTRAR_CLIENT_ID',
    },
    {
      flags: '--client-secret-env <name>',
      description: 'environment variable of the client secret; else REGISTRAR_CLIENT_SECRET',
    },
    {
      flags: '--time-zone <zone>',
      description: "zone of times that carry none; else the file's own, the preset's or this machine's",
    },
    {
      flags: '--column <field=header>',
      description: 'column of a field in the sample; may be repeated. FIELD= alone: no column is it',
      parse: oneMore,
    },
    {
      flags: '--default <field=value>',
      description: 'value of a field for all rows; may be repeated',
      parse: oneMore,
    },
    {
      flags: '--date-order <order>',
      description: 'order of day and month where the sample proves none',
      choices: ['day-first', 'month-first'],
    },
    {
      flags: '--scale <scale>',
      description: 'scale of scores where the sample proves none',
      choices: SCALE_NAMES,
    },
    { flags: '--yes', description: 'ask nothing: what no option says is guessed, and marked in the file' },
    {
      flags: '--new-ledger',
      description:
        'in a workspace whose ledger is gone for good: an empty one, with what was delivered unknown',
    },
  ],
  examples: [
    'registrar init /srv/registrar --sample ~/Downloads/completions.csv',
    'registrar init   # asks, and writes into this folder',
    'registrar init --yes --sample a.csv --base-url https://platform.example --time-zone Europe/Berlin',
  ],
};

function oneMore(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}
