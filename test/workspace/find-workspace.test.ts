import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findWorkspace, readWorkspace } from '../../src/actions/context.js';
import type { OperatorError } from '../../src/domain/operator-error.js';
import { temporaryFolder, withoutRights } from './opened-workspace.js';

test('the option wins over the variable, the variable over the current folder', () => {
  const root = temporaryFolder();
  for (const name of ['option', 'variable', 'current']) workspace(root, name);
  const current = join(root, 'current');
  const env = { REGISTRAR_WORKSPACE: '../variable' };
  expect(findWorkspace('../option', env, current)).toBe(join(root, 'option'));
  expect(findWorkspace(undefined, env, current)).toBe(join(root, 'variable'));
  expect(findWorkspace(undefined, { REGISTRAR_WORKSPACE: '' }, current)).toBe(current);
});

test('a named folder that is no workspace is an error, even inside a workspace', () => {
  const root = temporaryFolder();
  workspace(root, 'current');
  const find = () =>
    findWorkspace('gone', { REGISTRAR_WORKSPACE: join(root, 'current') }, join(root, 'current'));
  expect(find).toThrow(`${join(root, 'current', 'gone')}, named by --workspace, isn't a workspace`);
});

test('a folder without a workspace suggests registrar init', () => {
  const folder = temporaryFolder();
  expect(() => findWorkspace(undefined, {}, folder)).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('registrar init'), exit: 'usage' }),
  );
});

test('a workspace that another user has closed is reported as closed, and init is not suggested', async () => {
  const root = temporaryFolder();
  workspace(root, 'closed');
  chmodSync(root, 0o755);
  chmodSync(join(root, 'closed'), 0o000);
  const find = async () => readWorkspace(join(root, 'closed'), { env: {}, cwd: root });
  const failure = await withoutRights(find).catch((error: unknown) => error);
  chmodSync(join(root, 'closed'), 0o700);
  const { uid, gid } = statSync(root);
  expect(failure).toMatchObject({
    message: expect.stringMatching(
      new RegExp(
        `${root}/closed/registrar.yaml can't be read: permission denied; ${root}/closed belongs to uid ${uid} and gid ${gid} with the rights 0000, and this process is uid \\d+$`,
      ),
    ),
    exit: 'io',
  });
  expect((failure as OperatorError).hint).not.toContain('init');
});

function workspace(root: string, name: string): void {
  mkdirSync(join(root, name));
  writeFileSync(join(root, name, 'registrar.yaml'), '');
}
