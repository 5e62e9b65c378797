import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { once } from '../../src/domain/process/once.js';
import { runInSeriesAfter } from '../support/run-in-series-after.js';
import { testWorkspace } from '../support/workspace.js';

const COMMANDS = ['run', 'status', 'report'];

/** How these commands and doctor end in a process whose native modules can't be loaded, with Node's words and codes for that. */
async function endsWithoutNative(thrown: string) {
  const workspace = await testWorkspace();
  const hook = join(workspace.root, 'no-native.mjs');
  writeFileSync(
    hook,
    `import Module from 'node:module';
Module._extensions['.node'] = (module, file) => { throw Object.assign(${thrown}); };`,
  );
  const { ends, stderr } = await runInSeriesAfter(hook, workspace, [...COMMANDS, 'doctor --json']);
  return { ends: ends.slice(0, -1), stderr, doctor: ends.at(-1) };
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
  const ended = once(() => endsWithoutNative(thrown));

  it('is reported with both versions and what to build, and not as a bug', async () => {
    const { ends, stderr } = await ended();
    expect(ends).toEqual(COMMANDS.map((line) => ({ line, code: 74, stdout: '' })));
    // Each says it once; doctor says it in its document.
    const times = (text: string) => stderr.split(text).length - 1;
    expect(times(sentence), stderr).toBe(COMMANDS.length);
    expect(times('Build it for this Node: npm rebuild better-sqlite3 (or npm ci) in ')).toBe(COMMANDS.length);
    expect(stderr).not.toMatch(/bug|\n +at /);
  });

  it('does not keep doctor from checking everything else', async () => {
    const { doctor } = await ended();
    const { checks } = JSON.parse(doctor?.stdout ?? '') as {
      checks: { check: string; verdict: string; message: string }[];
    };
    expect(doctor?.code).toBe(74);
    const broken = checks.filter(({ verdict }) => verdict === 'broken');
    expect(broken).toMatchObject([{ check: 'ledger', message: expect.stringContaining(sentence) }]);
    expect(new Set(checks.map(({ check }) => check))).toEqual(
      new Set(['node', 'configuration', 'folder', 'inbox', 'disk', 'ledger', 'clock', 'token']),
    );
  });
});
