import { ROLES } from '../domain/access/role.js';
import { OPERATIONS } from '../operations/registry.js';
import { REPORT_FORMATS } from '../report/report-formats.js';
import type { Facts } from './command.js';
import { durationOption, isoTime, reportFormats, wholeNumber } from './option-values.js';

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
      '--source <name>': 'name of the source; default: that of the sample',
      '--base-url <address>': 'address of the platform',
      '--auth-url <address>': 'address of the token server; default: that of the platform',
      '--client-id-env <name>': 'environment variable of the client id; default: REGISTRAR_CLIENT_ID',
      '--client-secret-env <name>':
        'environment variable of the client secret; default: REGISTRAR_CLIENT_SECRET',
      '--time-zone <zone>':
        "zone of times that carry none; default: the file's own, the preset's or this machine's",
      '--yes': 'no prompts: missing options are guessed, and marked in the file',
      '--new-ledger': {
        description:
          'create an empty ledger where the old one is gone for good; earlier deliveries are then unknown',
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
      'add a source to registrar.yaml from a sample of its files, and create its inbox; or test the remote inbox and the result target of a source',
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
      '--environment <name>': 'where its records go; default: the only environment',
      '--dry-run': 'only show what would be written',
    },
    examples: [
      'registrar source add campus --sample ~/Downloads/campus.xlsx',
      'registrar source add groups --sample groups.csv --operation create-group --dry-run',
      'registrar source test academy',
    ],
  },
  doctor: {
    description: 'check configuration, folders, ledger, clock and credentials; one line each',
    options: {
      '--offline': 'request no token',
      '--deep': 'compare all indexes and records of the ledger with what was written',
    },
    examples: ['registrar doctor', 'registrar doctor --offline --deep'],
  },
  demo: {
    description: 'run the whole flow in seconds: sample files, a throw-away workspace, the embedded sandbox',
    examples: ['registrar demo', 'registrar demo --json'],
  },
  sandbox: {
    description: 'serve the platform of the specification on a local port, for trials',
    options: {
      '--port <n>': { description: 'port on 127.0.0.1; 0: any free one', parse: wholeNumber, default: 8070 },
      '--faults <list>': {
        description: 'faults to inject, such as latency=50,server-error=0.02,drop-after@30',
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

export const work = {
  run: {
    description: 'import the files in the inboxes, deliver their rows, report; for cron',
    options: {
      '--source <name...>': 'only these sources',
      '--confirm <source...>':
        'import these sources although settings that form keys, or the mapping of headers, have changed',
      '--no-push': 'import and stage only',
      '--max-duration <time>': {
        description: 'start no request after this long, such as 50m; remaining rows wait',
        parse: durationOption,
      },
      '--changed':
        'show only the status, and only if what needs attention has changed since it was last shown; for cron, which mails it',
      '--dry-run': 'only show what would be imported and delivered',
    },
    examples: [
      'registrar run',
      'registrar run --source academy --max-duration 50m --changed   # for cron',
      'registrar run --dry-run',
    ],
  },
} as const satisfies Facts;

export const look = {
  inspect: {
    description: 'show what the reader sees in a file and how its headers map; writes nothing',
    inputs: { '<file>': '' },
    options: {
      '--source <name>': 'map as this source does; default: by known headers',
      '--limit <n>': { description: 'rows to show', parse: wholeNumber, default: 20 },
      '--sheet <name>': 'sheet to show; default: the one that would be read',
    },
    examples: [
      'registrar inspect completions.xlsx --sheet "October 2025"',
      'registrar inspect completions.csv --source academy --limit 5',
    ],
  },
  check: {
    description: 'dry run: show what importing a file would do; writes nothing, sends nothing',
    inputs: { '<file>': '' },
    options: {
      '--source <name>': { description: 'the source whose settings apply', isRequired: true },
      '--limit <n>': { description: 'issues and requests to show', parse: wholeNumber, default: 20 },
    },
    examples: [
      'registrar check completions.csv --source academy',
      'registrar check completions.csv --source academy --limit 500 --json',
    ],
  },
  status: {
    description:
      'show waiting rows and their estimate, what needs attention, the quota in use and the last runs',
    examples: ['registrar status', 'registrar status --json'],
  },
  report: {
    description: 'show where every row went: for a run, a source, a file, a period, or everything',
    options: {
      '--run <n>': { description: 'of this run', parse: wholeNumber },
      '--source <name>': 'of files of this source',
      '--file <name>': 'of files of this name',
      '--since <time>': { description: 'of files imported since this day or time (UTC)', parse: isoTime },
      '--until <time>': { description: 'of files imported before this day or time (UTC)', parse: isoTime },
      '--inboxes': 'also unmatched files in the inboxes, as in a report of everything',
      '--format <list>': {
        description: `files to write: ${REPORT_FORMATS.join(', ')}`,
        parse: reportFormats,
      },
      '--out <dir>': 'folder to write them to; default: reports/ of the workspace',
    },
    examples: [
      'registrar report --run 12 --format html,xlsx --out /tmp/run-12',
      'registrar report --since 2025-10-01 --until 2025-11-01 --source academy',
    ],
  },
  trace: {
    description:
      'show the full history of a learner (jane@example.com), a line (file.csv:217), a submission (#12) or a key',
    inputs: { '<what>': '' },
    options: {
      '--search-cells': 'search all rows that became no record, however many they are',
    },
    examples: ['registrar trace jane@example.com', 'registrar trace completions.csv:217 --json'],
  },
  alerts: {
    description: 'list open alerts, with --json the latest notifications too; or send a test notification',
    inputs: {
      '[action]': {
        description: 'test: send a test through each channel; without it, open alerts are listed',
        choices: ['test'],
      },
    },
    options: {
      '--channel <name>': 'with test: only this channel',
    },
    examples: ['registrar alerts', 'registrar alerts test --channel ops'],
  },
} as const satisfies Facts;

export const keep = {
  backup: {
    description: 'copy the ledger, even during runs, and verify the copy',
    inputs: { '<file>': '' },
    options: {
      '--force': 'replace FILE',
      '--verify': {
        description: 'make no backup: restore a copy of FILE as a test, and record the result for status',
        conflicts: ['force'],
      },
    },
    examples: [
      'registrar backup /backup/registrar.db',
      'registrar backup /backup/registrar.db --force --quiet   # for cron',
      'registrar backup /backup/registrar.db --verify',
    ],
  },
  restore: {
    description: 'replace the ledger with a backup, and hold what may have been delivered since',
    inputs: { '[file]': '' },
    options: {
      '--because <text>': 'why, for the record; required',
      '--set-back': 'without FILE: the database of the ledger was set back by its own tools',
      '--finish': {
        description: 'without FILE: what was lost has been reviewed; hold no more new rows',
        conflicts: ['setBack'],
      },
    },
    examples: [
      'registrar restore /backup/registrar.db --because "the disk was lost"',
      'registrar restore --set-back --because "restored from last night"',
      'registrar restore --finish --because "looked them up"',
    ],
  },
  ledger: {
    description: 'copy a snapshot of the ledger into another file or database, and compare every row',
    inputs: { '<action>': { description: 'what to do', choices: ['copy'] } },
    options: {
      '--to <file>': {
        description:
          "a new file, or the address of an empty PostgreSQL database; '${NAME}': the variable with it",
        isRequired: true,
      },
    },
    examples: [
      "registrar ledger copy --to '${REGISTRAR_NEW_LEDGER_URL}'   # from the file into a database",
      'registrar ledger copy --to /backup/registrar.db',
    ],
  },
} as const satisfies Facts;

export const serve = {
  schedule: {
    description:
      'run as a service: import files as they arrive, deliver them and run scheduled jobs; SIGTERM or Ctrl-C stops it, SIGHUP reloads registrar.yaml',
    isLogged: true,
    options: {
      '--listen <host:port>':
        'serve the console, /healthz, /readyz and /metrics there; instead of console.listen and monitor.listen of registrar.yaml',
    },
    examples: [
      'registrar schedule --listen 127.0.0.1:9464',
      'registrar schedule --quiet   # logs only errors; --verbose logs each request too',
    ],
  },
  console: {
    description:
      'serve the web console, where people see what happened and correct it, and the HTTP interface; SIGTERM or Ctrl-C stops it',
    isLogged: true,
    options: {
      '--listen <host:port>': 'serve it there; instead of console.listen of registrar.yaml',
    },
    examples: ['registrar console', 'registrar console --listen 127.0.0.1:8480'],
  },
  healthcheck: {
    description: 'show whether Registrar can work, also by exit code; for health checks and containers',
    options: {
      '--work': 'also whether work gets done',
    },
    examples: ['registrar healthcheck', 'registrar healthcheck --work --quiet'],
  },
  user: {
    description:
      'manage people who sign in with a password: print the lines for registrar.yaml with a password hash, or list them',
    inputs: {
      '<action>': { description: 'what to do', choices: ['hash', 'list'] },
      '[name]': 'the sign-in name',
    },
    options: {
      '--role <role>': {
        description:
          'with hash: viewer (sees counts and causes, no rows), operator (acts, sees rows) or auditor (sees all, acts on nothing)',
        choices: ROLES,
      },
      '--password-stdin': 'with hash: read the password from stdin; default: a prompt on the terminal',
    },
    examples: ['registrar user hash anna --role operator', 'registrar user list'],
  },
  token: {
    description: 'manage tokens of programs that use the HTTP interface: add, list or revoke them',
    inputs: {
      '<action>': { description: 'what to do', choices: ['add', 'list', 'revoke'] },
      '[name]': 'name of the program; what it does is recorded under it',
    },
    options: {
      '--role <role>': {
        description:
          'with add: viewer (reads counts and causes, no rows), operator (acts, reads rows) or auditor (reads all, acts on nothing)',
        choices: ROLES,
      },
      '--days <n>': {
        description: 'with add: how long it is valid; default: until it is revoked',
        parse: wholeNumber,
      },
    },
    examples: [
      'registrar token add billing --role viewer --days 90',
      'registrar token list',
      'registrar token revoke billing',
    ],
  },
} as const satisfies Facts;
