import { ROLES } from '../../domain/access/role.js';
import type { Facts } from '../command.js';
import { wholeNumber } from '../option-values.js';

export const serve = {
  schedule: {
    description:
      'run as a service: import files as they arrive, deliver them and work by the schedule; SIGTERM or Ctrl-C stops it, SIGHUP reloads registrar.yaml',
    isLogged: true,
    options: {
      '--listen <host:port>':
        'serve the console, /healthz, /readyz and /metrics there; instead of console.listen and monitor.listen of registrar.yaml',
    },
    examples: [
      'registrar schedule --listen 127.0.0.1:9464',
      'registrar schedule --quiet   # logs errors alone; --verbose logs each request too',
    ],
  },
  console: {
    description:
      'stay: serve the web page where people see what happened and put it right, and the HTTP interface; SIGTERM or Ctrl-C ends it',
    isLogged: true,
    options: {
      '--listen <host:port>': 'serve it there; instead of console.listen of registrar.yaml',
    },
    examples: ['registrar console', 'registrar console --listen 127.0.0.1:8480'],
  },
  healthcheck: {
    description:
      'whether work that comes in could be done, by the exit code too; for health checks and containers',
    options: {
      '--work': 'also whether work gets done',
    },
    examples: ['registrar healthcheck', 'registrar healthcheck --work --quiet'],
  },
  user: {
    description:
      'people who sign in to the pages with a password: print the lines for registrar.yaml with the hash of a password, or list them',
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
      '--password-stdin': 'with hash: read the password from standard input; else a prompt on the terminal',
    },
    examples: ['registrar user hash anna --role operator', 'registrar user list'],
  },
  token: {
    description: 'which programs may use the HTTP interface: add, list or revoke their tokens',
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
