import { OPERATIONS } from '../../operations/registry.js';
import type { Facts } from '../command.js';
import { wholeNumber } from '../option-values.js';

export const setUp = {
  init: {
    description:
      'write a commented registrar.yaml and the folders; infer the mapping from a sample. On a terminal it prompts for missing options',
    inputs: { '[dir]': '' },
    options: {
      '--sample <file>': 'a real export, whose columns are mapped and commented',
      '--operation <name>': {
        description: 'what each row does on the platform; default: submit-completion',
        choices: OPERATIONS.map(({ name }) => name),
      },
      '--source <name>': 'name of the source; else that of the sample',
      '--base-url <address>': 'address of the platform',
      '--auth-url <address>': 'URL of the token server; default: the platform address',
      '--client-id-env <name>': 'environment variable of the client id; else REGISTRAR_CLIENT_ID',
      '--client-secret-env <name>': 'environment variable of the client secret; else REGISTRAR_CLIENT_SECRET',
      '--time-zone <zone>':
        "zone of times that carry none; else the file's own, the preset's or this machine's",
      '--yes': 'no prompts: missing options are guessed, and marked in the file',
      '--new-ledger': {
        description:
          'in a workspace whose ledger is gone for good: an empty one, with what was delivered unknown',
        conflicts: ['sample'],
      },
    },
    examples: [
      'registrar init /srv/registrar --sample ~/Downloads/completions.csv',
      'registrar init   # prompts, and writes into this folder',
      'registrar init --yes --sample a.csv --base-url https://platform.example --time-zone Europe/Berlin',
    ],
  },
  source: {
    description:
      'add a source to registrar.yaml, as a sample of its files shows, and make its inbox; or test the remote inbox and the target for results of one',
    inputs: {
      '<action>': {
        description:
          'add; or test: connect to the remote inbox, print the host key, and try what the account may do',
        choices: ['add', 'test'],
      },
      '<name>': 'the name of the source, also of its folder in inbox/',
    },
    options: {
      '--sample <file>': 'for add: a real export, whose columns are mapped and commented',
      '--operation <name>': {
        description: 'what each record does on the platform',
        choices: OPERATIONS.map(({ name }) => name),
        default: 'submit-completion',
      },
      '--environment <name>': 'where its records go; else the only environment there is',
      '--dry-run': 'only show what would be written',
    },
    examples: [
      'registrar source add campus --sample ~/Downloads/campus.xlsx',
      'registrar source add groups --sample groups.csv --operation create-group --dry-run',
      'registrar source test academy',
    ],
  },
  doctor: {
    description: 'look at configuration, folders, ledger, clock and credentials; one line each',
    options: {
      '--offline': 'request no token',
      '--deep': 'compare all indexes and records of the ledger with what was written',
    },
    examples: ['registrar doctor', 'registrar doctor --offline --deep'],
  },
  demo: {
    description: 'the whole flow in seconds: sample drops, a throw-away workspace, the embedded sandbox',
    examples: ['registrar demo', 'registrar demo --json'],
  },
  sandbox: {
    description: 'the platform of the specification on a local port, for trying things out',
    options: {
      '--port <n>': { description: 'port on 127.0.0.1; 0: any free one', parse: wholeNumber, default: 8070 },
      '--faults <list>': {
        description: 'faults to stage, such as latency=50,server-error=0.02,drop-after@30',
        default: '',
      },
      '--quota <n/time>': { description: 'requests allowed per period', default: '70/1m' },
    },
    examples: [
      'registrar sandbox --port 8070 --faults latency=200,server-error=0.05',
      'registrar sandbox --quota 20/5s',
    ],
  },
  completion: {
    description:
      'print a script that completes command lines in a shell; or the completions of the last of WORDS, for the script',
    inputs: { '<what>': { choices: ['bash', 'zsh', 'fish', 'offers'] }, '[words...]': '' },
    examples: ['registrar completion bash', 'registrar completion offers -- check --source '],
  },
} as const satisfies Facts;
