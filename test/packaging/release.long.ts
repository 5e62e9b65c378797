import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { VERSION } from '../../src/version.js';
import { REPOSITORY } from '../support/installed-modules.js';
import { packageCopy } from '../support/package-copy.js';
import { tempFolder } from '../support/temp-folder.js';

const run = promisify(execFile);

/** The package made from a clean copy, and a minimal Debian system. */
let packages: string;
let system: string;
let onDone = () => {};
afterAll(() => onDone(), 300_000);

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'registrar-release-'));
  onDone = () => rmSync(folder, { recursive: true, force: true });
  const source = join(folder, 'source');
  mkdirSync(source);
  packageCopy(source);
  // npm describes only packages that are there themselves.
  await run('rm', ['-r', join(source, 'node_modules')]);
  await run('cp', ['-a', join(REPOSITORY, 'node_modules'), source]);
  await run('npm', ['run', 'package'], { cwd: source, maxBuffer: 10_000_000 });
  packages = join(source, 'dist/packages');
  system = join(folder, 'system');
  await run('debootstrap', ['--variant=minbase', 'bookworm', system], { maxBuffer: 10_000_000 });
}, 900_000);

describe('what is published', { tags: ['debootstrap', 'mount'] }, () => {
  it('has a checksum for each file, and a bill that names Node.js and what the program loads', async () => {
    const names = readdirSync(packages);
    await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: packages });
    const sums = readFileSync(join(packages, 'SHA256SUMS'), 'utf8');
    expect(names.filter((name) => !sums.includes(`  ${name}\n`))).toEqual(['SHA256SUMS']);
    const bill = JSON.parse(readFileSync(join(packages, `registrar-${VERSION}.cdx.json`), 'utf8')) as {
      components: readonly { name: string; version: string }[];
      dependencies: readonly { ref: string; dependsOn: readonly string[] }[];
    };
    const components = bill.components.map(({ name }) => name);
    expect(components).toEqual(
      expect.arrayContaining(['better-sqlite3', 'exceljs', 'kysely', 'undici', 'node']),
    );
    for (const other of ['vitest', 'rolldown', 'prebuild-install']) expect(components).not.toContain(other);
    const listed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
    const refs = bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
    expect(refs.filter((ref) => ref !== `registrar@${VERSION}` && !listed.has(ref))).toEqual([]);
  });

  it('as a tarball runs the demo and a service without Node.js, compiler and network', async () => {
    const root = systemOfItsOwn();
    execFileSync('tar', ['-xzf', join(packages, nameOf('.tar.gz')), '-C', join(root, 'opt')]);
    const registrar = `/opt/${nameOf('.tar.gz').replace('.tar.gz', '')}/bin/registrar`;
    expect(inside(root, 'command -v node npm gcc make || echo none')).toBe('none\n');
    expect(inside(root, `${registrar} demo`)).toContain(DELIVERED);
    expect(inside(root, service(registrar))).toContain('accepted');
  });

  it('as a package for Debian brings user, units, manual and completion, and leaves the workspace when it is purged', () => {
    const root = systemOfItsOwn();
    cpSync(join(packages, nameOf('.deb')), join(root, 'opt/registrar.deb'));
    inside(root, 'dpkg -i /opt/registrar.deb');
    expect(inside(root, 'stat -c "%U %a" /srv/registrar; stat -c "%U %a" /etc/registrar/environment')).toBe(
      'registrar 700\nroot 600\n',
    );
    for (const file of [
      'lib/systemd/system/registrar.service',
      'usr/share/bash-completion/completions/registrar',
      'usr/share/zsh/vendor-completions/_registrar',
      'usr/share/fish/vendor_completions.d/registrar.fish',
    ]) {
      expect(readFileSync(join(root, file), 'utf8'), file).toContain('registrar');
    }
    const licenses = readFileSync(join(root, 'usr/share/doc/registrar/copyright'), 'utf8');
    expect(licenses).toMatch(/^=== openpgp /m);
    const manual = execFileSync('zcat', [join(root, 'usr/share/man/man1/registrar.1.gz')], {
      encoding: 'utf8',
    });
    expect(manual).toContain('.B \\-\\-max\\-duration <time>');
    expect(inside(root, 'registrar demo')).toContain(DELIVERED);
    expect(inside(root, service('registrar'))).toContain('accepted');
    inside(
      root,
      'echo REGISTRAR_CLIENT_ID=mine >> /etc/registrar/environment; touch /srv/registrar/registrar.db',
    );
    // The same again, as an upgrade is: settings stay.
    inside(root, 'dpkg -i /opt/registrar.deb');
    expect(readFileSync(join(root, 'etc/registrar/environment'), 'utf8')).toContain(
      'REGISTRAR_CLIENT_ID=mine',
    );
    inside(root, 'dpkg --purge registrar');
    expect(
      inside(
        root,
        'command -v registrar || echo gone; ls /etc/registrar 2> /dev/null || echo gone; ls /srv/registrar',
      ),
    ).toBe('gone\ngone\nregistrar.db\n');
  });
});

const DELIVERED = 'The books balance. 35 rows accepted, 12 rows need attention.';

/** Starts a sandbox, and a service that delivers a file to it; prints the row's state, or the service's log. */
function service(registrar: string): string {
  return `
    set -e
    export REGISTRAR_CLIENT_ID=sandbox-client REGISTRAR_CLIENT_SECRET=sandbox-secret
    ${registrar} sandbox --port 8070 > /dev/null 2>&1 &
    sandbox=$!
    rm -rf /tmp/w
    ${registrar} init /tmp/w --base-url http://127.0.0.1:8070 --auth-url http://127.0.0.1:8070 --source academy > /dev/null
    ${registrar} schedule --workspace /tmp/w > /tmp/log 2>&1 &
    service=$!
    printf 'Email,Course ID,Completed\\njane@example.com,C-1,2026-03-02T10:00:00Z\\n' > /tmp/w/inbox/academy/.march.csv
    mv /tmp/w/inbox/academy/.march.csv /tmp/w/inbox/academy/march.csv
    for second in $(seq 60); do
      if ${registrar} trace jane@example.com --workspace /tmp/w 2> /dev/null | grep -m1 accepted; then break; fi
      sleep 1
    done
    kill $service $sandbox
    wait $service || [ $? -eq 143 ] || cat /tmp/log`;
}

function nameOf(ending: string): string {
  return readdirSync(packages).find((name) => name.endsWith(ending)) ?? ending;
}

/** A copy of the Debian system, for one test. */
function systemOfItsOwn(): string {
  const root = join(tempFolder(), 'root');
  execFileSync('cp', ['-a', system, root]);
  execFileSync('mount', ['-t', 'proc', 'proc', join(root, 'proc')]);
  onTestFinished(() => void execFileSync('umount', ['--lazy', join(root, 'proc')]));
  return root;
}

/** What a shell prints in that system, which has no network but its own loopback. Throws where it fails. */
function inside(root: string, script: string): string {
  writeFileSync(join(root, 'tmp/script.sh'), script);
  return execFileSync(
    'unshare',
    ['--net', 'sh', '-c', `ip link set lo up && exec chroot '${root}' sh /tmp/script.sh`],
    {
      encoding: 'utf8',
      env: { PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root' },
      timeout: 300_000,
    },
  );
}
