import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findWorkspace } from '../../src/workspace/find-workspace.js';
import { temporaryFolder } from './opened-workspace.js';

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
  expect(find).toThrow(`${join(root, 'current', 'gone')}, named by --workspace, is no workspace`);
});

test('without any workspace, init is suggested', () => {
  const folder = temporaryFolder();
  expect(() => findWorkspace(undefined, {}, folder)).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('registrar init'), exit: 'usage' }),
  );
});

function workspace(root: string, name: string): void {
  mkdirSync(join(root, name));
  writeFileSync(join(root, name, 'registrar.yaml'), '');
}
