import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { environmentSchema } from '../../src/config/schema/environment-schema.js';
import { EXIT_CODES } from '../../src/domain/operator-error.js';
import { REPOSITORY } from '../support/installed-modules.js';
import { tempFolder } from '../support/temp-folder.js';

const FOLDER = join(REPOSITORY, 'deploy/systemd');
const UNITS = readdirSync(FOLDER).sort();
const SERVICES = ['registrar.service', 'registrar-run.service', 'registrar-console.service'];

/** A hardened service has no higher exposure. */
const MAX_EXPOSURE = 2.5;

const ANALYZE = { tags: ['systemd-analyze'] };

function analyze(...args: string[]): { readonly status: number | null; readonly output: string } {
  const words = ['--no-pager', ...args];
  const { status, stdout, stderr } = spawnSync('systemd-analyze', words, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

/** The settings of a unit by name; several of one name are kept in their order. */
function settings(unit: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const line of readFileSync(join(FOLDER, unit), 'utf8').split('\n')) {
    const [, name, value = ''] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), value]);
  }
  return found;
}

/** A root with the units, and with what they need of a machine whose npm has this prefix. */
function machine(prefix: string): string {
  const root = tempFolder();
  const units = join(root, 'etc/systemd/system');
  cpSync(FOLDER, units, { recursive: true });
  for (const target of [
    'sysinit',
    'basic',
    'shutdown',
    'network-online',
    'time-sync',
    'multi-user',
    'timers',
  ])
    writeFileSync(join(units, `${target}.target`), '[Unit]\n');
  for (const program of ['/bin/sh', '/bin/kill', join(prefix, 'bin/registrar')]) {
    mkdirSync(dirname(join(root, program)), { recursive: true });
    writeFileSync(join(root, program), '#!/bin/sh\n', { mode: 0o755 });
  }
  return root;
}

// npm of Debian, Ubuntu and NodeSource has the first prefix, npm of nodejs.org's archive the second.
it.each(['/usr', '/usr/local'])(
  'the units start what npm with the prefix %s has installed',
  ANALYZE,
  (prefix) => {
    expect(UNITS).toEqual([
      'registrar-console.service',
      'registrar-failure@.service',
      'registrar-run.service',
      'registrar-run.timer',
      'registrar.service',
    ]);
    const verify = (root: string) => analyze('verify', '--man=no', `--root=${root}`, ...UNITS);
    expect(verify(machine(prefix))).toEqual({ status: 0, output: '' });
    expect(verify(machine('/opt'))).toMatchObject({
      status: 1,
      output: expect.stringContaining('registrar.service: Command registrar is not executable'),
    });
  },
);

it.each(SERVICES)('%s has few exposures by systemd-analyze', ANALYZE, (unit) => {
  const { output } = analyze('security', '--offline=true', join(FOLDER, unit));
  const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(output) ?? [];
  expect(Number(exposure)).toBeGreaterThan(0);
  expect(Number(exposure)).toBeLessThan(MAX_EXPOSURE);
});

it('all services have the same rights, and none of those without which the program does not work', () => {
  const rights = (unit: string) => {
    const text = readFileSync(join(FOLDER, unit), 'utf8');
    return text.slice(text.indexOf('UMask='), text.indexOf('SystemCallErrorNumber='));
  };
  for (const unit of SERVICES) {
    expect(rights(unit)).toBe(rights('registrar.service'));
    for (const name of [
      'MemoryDenyWriteExecute',
      'ProcSubset',
      'RestrictSUIDSGID',
      'PrivateUsers',
      'PrivateNetwork',
    ]) {
      expect([unit, name, settings(unit).get(name)]).toEqual([unit, name, undefined]);
    }
  }
});

it('a service is given longer to stop than a request may take, and how it is stopped is no failure', () => {
  const { deadlineMs } = environmentSchema.parse({
    baseUrl: 'https://a.example',
    authUrl: 'https://a.example',
    clientId: 'x',
    clientSecret: 'x',
  });
  const codes = (...names: string[]) =>
    EXIT_CODES.flatMap(({ name, code }) => (names.includes(name) ? [String(code)] : [])).sort();
  for (const unit of SERVICES) {
    expect(Number(settings(unit).get('TimeoutStopSec')?.[0]) * 1_000).toBeGreaterThan(deadlineMs + 10_000);
  }
  const successes = (unit: string) => settings(unit).get('SuccessExitStatus')?.[0]?.split(' ').sort();
  expect(successes('registrar-run.service')).toEqual(codes('attention', 'interrupted', 'terminated'));
  for (const unit of ['registrar.service', 'registrar-console.service']) {
    expect(successes(unit)).toEqual(codes('interrupted', 'terminated'));
    expect(settings(unit).get('RestartPreventExitStatus')).toEqual(codes('usage'));
  }
});

it('cron, systemd, Docker and Kubernetes read the credentials from one file', () => {
  const files = ['README.md', 'docs/docker.md', 'docs/deploy.md', 'compose.yaml'];
  const texts = [
    ...files.map((file) => readFileSync(join(REPOSITORY, file), 'utf8')),
    ...UNITS.map((unit) => readFileSync(join(FOLDER, unit), 'utf8')),
  ];
  const named = texts.flatMap((text) => text.match(/\/etc\/registrar[\w./]*\benv\w*/g) ?? []);
  expect([...new Set(named)]).toEqual(['/etc/registrar/environment']);

  const file = join(tempFolder(), 'environment');
  writeFileSync(file, 'REGISTRAR_CLIENT_ID=an-id\n');
  const [, before = ''] = /^\*\/15 \* \* \* \* (.*) registrar run/m.exec(texts[0] ?? '') ?? [];
  const line = `${before.replace('/etc/registrar/environment', file)} printenv REGISTRAR_CLIENT_ID`;
  expect(spawnSync('sh', ['-c', line], { encoding: 'utf8' }).stdout).toBe('an-id\n');
});
