import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.js';
import { VERSION } from '../../src/version.js';
import { type BuiltImage, buildImage, type Instruction, stages } from '../support/image-build.js';
import { copyModules, REPOSITORY } from '../support/installed-modules.js';
import { IS_ROOT } from '../support/users.js';

const final = stages().at(-1);
const isHealthCheck = ({ keyword }: Instruction) => keyword === 'HEALTHCHECK';
const OF_SQLITE = ['better-sqlite3', 'bindings', 'file-uri-to-path'].map((name) => `node_modules/${name}`);

describe('the image that its steps make of the context', () => {
  let folder: string;
  let image: BuiltImage;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'registrar-image-'));
    // The slow test installs for itself; here the packages are those that are installed already, of them only what the bundle
    // leaves out.
    image = await buildImage(folder, {
      'apt-get update': () => {},
      'npm ci --omit=dev': (app) => copyModules(OF_SQLITE, app),
      'npm ci --ignore-scripts': (app) =>
        symlinkSync(join(REPOSITORY, 'node_modules'), join(app, 'node_modules')),
    });
  }, 300_000);

  afterAll(() => rm(folder, { recursive: true, force: true }), 300_000);

  it('can be built from what .dockerignore leaves, and its user can run it', async () => {
    expect(await image.run(['registrar', '--version'])).toMatchObject({ code: 0, stdout: `${VERSION}\n` });
  });

  it('holds the program alone: no tests, no benches, no source maps, no packages of developers', () => {
    const app = join(image.root, 'app');
    expect(readdirSync(app).sort()).toEqual([
      'LICENSE',
      'data',
      'dist',
      'docs',
      'migrations',
      'node_modules',
      'package.json',
    ]);
    expect(readdirSync(join(app, 'dist'))).toEqual(['program']);
    const names = readdirSync(app, { recursive: true }) as string[];
    expect(names.filter((name) => /\.(?:map|o|a)$/.test(name))).toEqual([]);
    const packages = readdirSync(join(app, 'node_modules'));
    expect(packages).toContain('better-sqlite3');
    // Those of the program are in its bundle.
    expect(['kysely', 'undici', 'vitest', '@biomejs'].filter((name) => packages.includes(name))).toEqual([]);
  });

  it('makes a workspace that belongs to its user, and works in it', async () => {
    const workspace = join(image.root, 'workspace');
    const { uid, mode } = statSync(workspace);
    expect(mode & 0o777).toBe(0o700);
    if (IS_ROOT) expect(uid).toBe(1000);
    expect(await image.run(['registrar', 'init'])).toMatchObject({ code: 0, stderr: '' });
    const file = join(image.root, 'app/data/samples/academy-completions.csv');
    const env = { REGISTRAR_CLIENT_ID: 'id', REGISTRAR_CLIENT_SECRET: 'secret' };
    const check = await image.run(['registrar', 'check', file, '--source', 'academy'], env);
    expect(check.stdout).toContain(' staged');
    expect(await image.run(['registrar', 'status'], env)).toMatchObject({ code: 0 });
    expect(existsSync(join(workspace, 'registrar.db'))).toBe(true);
  });

  it('is unhealthy when work does not get done, and healthy once it does', async () => {
    const sandbox = await startSandbox({});
    onTestFinished(() => sandbox.close());
    const workspace = join(image.root, 'workspace');
    const file = join(workspace, 'registrar.yaml');
    const environment = {
      baseUrl: sandbox.url,
      authUrl: sandbox.url,
      clientId: 'sandbox-client',
      clientSecret: '${SECRET}',
      outage: '1s',
    };
    const source = { name: 'academy', operation: 'submit-completion', environment: 'main', stableFor: '0s' };
    writeFileSync(file, JSON.stringify({ environments: { main: environment }, sources: [source] }));
    const inbox = join(workspace, 'inbox/academy');
    mkdirSync(inbox, { recursive: true });
    writeFileSync(
      join(inbox, 'a.csv'),
      'Email,Course ID,Completed on\nanna@example.org,C-1,2024-03-01T10:00Z\n',
    );
    const isHealthy = async (SECRET: string) => {
      const ran = await image.run(['registrar', 'run', '--quiet'], { SECRET });
      const command = /CMD (.+)$/.exec(final?.instructions.find(isHealthCheck)?.text ?? '')?.[1] ?? '';
      const checked = await image.run(['sh', '-c', command], { SECRET });
      return { run: ran.code, check: checked.code };
    };
    if (IS_ROOT) spawnSync('chown', ['-R', '1000:1000', workspace]);
    expect(await isHealthy('wrong')).toEqual({ run: 4, check: 1 });
    expect(await isHealthy('sandbox-secret')).toEqual({ run: 0, check: 0 });
  });

  it('is started by the name of the program, as a link that leads to it', () => {
    expect(final?.instructions).toContainEqual({ keyword: 'ENTRYPOINT', text: '["registrar"]' });
    const link = join(image.root, 'usr/local/bin/registrar');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(link).mode & 0o111).toBe(0o111);
  });
});
