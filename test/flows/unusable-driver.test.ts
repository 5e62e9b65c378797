import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { documentOf, type TestWorkspace, testWorkspace } from '../support/workspace.js';

/** Makes Node fail to load native modules, with the words and codes that it has for that. */
function withoutNative(workspace: TestWorkspace, thrown: string): Readonly<Record<string, string>> {
  const hook = join(workspace.root, 'no-native.mjs');
  writeFileSync(
    hook,
    `import Module from 'node:module';
Module._extensions['.node'] = (module, file) => { throw Object.assign(${thrown}); };`,
  );
  return { NODE_OPTIONS: `--import ${pathToFileURL(hook)}` };
}

const OTHER_NODE = `new Error(\`The module '\${file}'
was compiled against a different Node.js version using
NODE_MODULE_VERSION 93. This version of Node.js requires
NODE_MODULE_VERSION \${process.versions.modules}. Please try re-compiling or re-installing
the module (for instance, using \\\`npm rebuild\\\` or \\\`npm install\\\`).\`), { code: 'ERR_DLOPEN_FAILED' }`;
const NOT_BUILT = `new Error(\`Cannot find module '\${file}'\`), { code: 'MODULE_NOT_FOUND' }`;

const { version, versions } = process;

describe.each([
  ['built for another Node', OTHER_NODE, 'it was built for another Node, with NODE_MODULE_VERSION 93'],
  ['not built', NOT_BUILT, 'it has not been built'],
])('a native module that is %s', (_, thrown, why) => {
  const sentence = `can't be used by Node ${version} (NODE_MODULE_VERSION ${versions.modules}, ${process.platform} ${process.arch}): ${why}`;

  it('is reported with both versions and what to build, and not as a bug', async () => {
    const workspace = await testWorkspace();
    const env = withoutNative(workspace, thrown);
    for (const command of ['run', 'status', 'report']) {
      const { code, stdout, stderr } = await workspace.startWith(env, command).ended;
      expect({ command, code, stdout }).toEqual({ command, code: 74, stdout: '' });
      expect(stderr).toContain(sentence);
      expect(stderr).toContain('Build it for this Node: npm rebuild better-sqlite3 (or npm ci) in ');
      expect(stderr).not.toMatch(/bug|\n +at /);
    }
  });

  it('does not keep doctor from checking everything else', async () => {
    const workspace = await testWorkspace();
    const env = withoutNative(workspace, thrown);
    const result = await workspace.startWith(env, 'doctor', '--json').ended;
    const { checks } = documentOf<{ checks: { check: string; verdict: string; message: string }[] }>(result);
    expect(result.code).toBe(74);
    const broken = checks.filter(({ verdict }) => verdict === 'broken');
    expect(broken).toMatchObject([{ check: 'ledger', message: expect.stringContaining(sentence) }]);
    expect(new Set(checks.map(({ check }) => check))).toEqual(
      new Set(['node', 'configuration', 'folder', 'inbox', 'disk', 'ledger', 'clock', 'token']),
    );
  });
});
