import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { tempFolder } from '../support/temp-folder.js';
import { documentOf, type TestWorkspace, testWorkspace } from '../support/workspace.js';

const rights = (path: string) => (statSync(path).mode & 0o7777).toString(8);

interface Checks {
  readonly checks: readonly {
    readonly check: string;
    readonly verdict: string;
    readonly subject: string;
    readonly message: string;
    readonly remedy: string;
  }[];
}

async function folderFindings(workspace: TestWorkspace) {
  const { checks } = documentOf<Checks>(await workspace.cli('doctor', '--offline', '--json'));
  return checks
    .filter(({ check, verdict }) => check === 'folder' && verdict !== 'ok')
    .map(({ subject, message }) => `${subject.slice(workspace.root.length)} ${message}`);
}

describe('report folders', () => {
  it('stay readable by their owner alone', async () => {
    const workspace = await testWorkspace();
    workspace.drop('a.csv', csvOf(exportRows(2)));
    const { report } = await workspace.run();
    expect(rights(join(workspace.root, 'reports'))).toBe('700');
    expect(rights(report.reportFolder ?? '')).toBe('700');
    expect(rights(join(report.reportFolder ?? '', 'report.html'))).toBe('600');
  });

  it('may be elsewhere, and are not created there if the folder is missing', async () => {
    const folder = join(tempFolder(), 'share');
    const workspace = await testWorkspace({ reports: { folder } });
    workspace.drop('a.csv', csvOf(exportRows(2)));
    const { code, stderr } = await workspace.cli('run', '--no-push');
    expect({ code, named: stderr.includes(`could not find the folder of the reports, ${folder}`) }).toEqual({
      code: 74,
      named: true,
    });
    expect(await folderFindings(workspace)).toContainEqual(expect.stringMatching(/is not there$/));
    mkdirSync(folder);
    const { report } = await workspace.run('--no-push');
    expect(report.reportFolder?.startsWith(`${folder}/`)).toBe(true);
    expect(workspace.files('reports')).toEqual([]);
  });
});

it('an inbox that a person has opened to a group stays open, and is not a finding', async () => {
  const workspace = await testWorkspace();
  await workspace.cli('status');
  const inbox = join(workspace.root, 'inbox/academy');
  expect(rights(inbox)).toBe('700');
  chmodSync(inbox, 0o2770);
  for (const folder of [workspace.root, join(workspace.root, 'inbox')]) chmodSync(folder, 0o711);
  await workspace.run();
  expect(rights(inbox)).toBe('2770');
  expect(await folderFindings(workspace)).toEqual([]);
});

it.each([
  [{ foldr: 1 }, 'sources[0].inbox.foldr is not known here; did you mean folder?'],
  [['a'], 'sources[0].inbox must be a text or a map'],
  ['~/in', 'sources[0].inbox "~/in" begins with ~'],
  [{ folder: '~/in' }, 'sources[0].inbox.folder "~/in" begins with ~'],
])('inbox: %j is explained', async (inbox, sentence) => {
  const workspace = await testWorkspace({ sources: { academy: { inbox } } });
  const { code, stderr } = await workspace.cli('status');
  expect(code).toBe(2);
  expect(stderr).toContain(sentence);
});
