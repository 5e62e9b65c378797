import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.js';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { tempFolder } from '../support/temp-folder.js';
import { documentOf, type TestWorkspace, testWorkspace, type WorkspaceSpec } from '../support/workspace.js';
import { withoutRights } from '../workspace/opened-workspace.js';

/** A group that this process may give files to. */
const GROUP = process.getegid?.() ?? 0;

const rights = (path: string) => {
  const { mode, gid } = statSync(path);
  return [(mode & 0o7777).toString(8), gid];
};

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

const shared = (spec: WorkspaceSpec = {}) =>
  testWorkspace({
    sources: { academy: { inbox: { group: GROUP } }, campus: {} },
    reports: { group: GROUP },
    ...spec,
  });

describe('report folders', () => {
  it('can be opened by the group that registrar.yaml names, whatever writes them', async () => {
    const workspace = await shared();
    // A row that needs attention, so that the report has a workbook.
    workspace.drop('a.csv', csvOf([...exportRows(2), exportRow(3, { at: 'never' })]));
    const { report } = await workspace.run();
    const reported = documentOf(await workspace.cli('report', '--format', 'xlsx,html', '--json'));
    for (const folder of [report.reportFolder, reported.reportFolder]) {
      expect(rights(folder ?? '')).toEqual(['2750', GROUP]);
      const files = workspace.files((folder ?? '').slice(workspace.root.length + 1));
      expect(files.length).toBeGreaterThan(1);
      for (const file of files)
        expect([file, ...rights(join(folder ?? '', file))]).toEqual([file, '640', GROUP]);
    }
    expect(rights(join(workspace.root, 'reports'))).toEqual(['2750', GROUP]);
    for (const name of ['archive', 'processing', 'rejected']) {
      expect(rights(join(workspace.root, name))[0]).toBe('700');
    }
    expect(rights(join(workspace.root, 'registrar.db'))[0]).toBe('600');
    const out = tempFolder();
    const elsewhere = documentOf(await workspace.cli('report', '--out', out, '--format', 'html', '--json'));
    expect(rights(elsewhere.reportFolder ?? '')[0]).toBe('700');
  });

  it('stay for their owner alone where no group is named', async () => {
    const workspace = await testWorkspace();
    workspace.drop('a.csv', csvOf(exportRows(2)));
    const { report } = await workspace.run();
    expect(rights(join(workspace.root, 'reports'))[0]).toBe('700');
    expect(rights(report.reportFolder ?? '')[0]).toBe('700');
    expect(rights(join(report.reportFolder ?? '', 'report.html'))[0]).toBe('600');
  });

  it('may lie elsewhere, and are not made there where the folder is missing', async () => {
    const folder = join(tempFolder(), 'share');
    const workspace = await shared({ reports: { folder } });
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

describe('the inbox of a source', () => {
  it('that names a group takes files from its members, and others’ inboxes stay closed', async () => {
    const workspace = await shared();
    await workspace.cli('status');
    expect(rights(join(workspace.root, 'inbox/academy'))).toEqual(['2770', GROUP]);
    expect(rights(join(workspace.root, 'inbox'))[0]).toBe('711');
    expect(rights(join(workspace.root, 'inbox/campus'))[0]).toBe('700');
  });

  it('that Registrar had made for itself is opened when a group is named; one with other rights is left', async () => {
    const workspace = await shared();
    for (const name of ['inbox', 'inbox/academy', 'reports']) {
      mkdirSync(join(workspace.root, name), { recursive: true });
      chmodSync(join(workspace.root, name), name === 'reports' ? 0o755 : 0o700);
    }
    await workspace.cli('status');
    expect(rights(join(workspace.root, 'inbox/academy'))).toEqual(['2770', GROUP]);
    expect(rights(join(workspace.root, 'reports'))[0]).toBe('755');
    expect(await folderFindings(workspace)).toContain(
      `/reports its group, gid ${GROUP}, can't use it: it belongs to gid ${GROUP} with the rights 0755`,
    );
  });
});

it('doctor says what keeps a group from getting to its folder', async () => {
  const workspace = await shared();
  await workspace.cli('status');
  chmodSync(workspace.root, 0o711);
  expect(await folderFindings(workspace)).toEqual([]);
  chmodSync(workspace.root, 0o700);
  const blocked = `its group, gid ${GROUP}, can't get there: ${workspace.root} has the rights 0700 and doesn't let it pass`;
  expect(await folderFindings(workspace)).toEqual([`/reports ${blocked}`, `/inbox/academy ${blocked}`]);
});

it('a group that is not there, or that this user is not in, is a mistake of registrar.yaml', async () => {
  const workspace = await shared({ reports: { group: 'no-such-group' } });
  const { code, stderr } = await workspace.cli('status');
  expect(code).toBe(2);
  expect(stderr).toContain('reports.group "no-such-group" is no group of this machine');
  const other = await shared({ reports: { group: 54_321 } });
  chmodSync(other.root, 0o755);
  chmodSync(join(other.root, 'registrar.yaml'), 0o644);
  const env = { REGISTRAR_CLIENT_ID: 'x', REGISTRAR_CLIENT_SECRET: 'y' };
  await expect(withoutRights(async () => loadConfig(other.root, env))).rejects.toMatchObject({
    message: expect.stringMatching(
      /reports\.group 54321 is a group \(gid 54321\) that this user \(uid \d+\) is not in/,
    ),
  });
});

it.each([
  [{ gruop: 1 }, 'sources[0].inbox.gruop is not known here; did you mean group?'],
  [['a'], 'sources[0].inbox must be a text or a map'],
  ['~/in', 'sources[0].inbox "~/in" begins with ~'],
  [{ folder: '~/in' }, 'sources[0].inbox.folder "~/in" begins with ~'],
  [{ group: true }, 'sources[0].inbox.group true must be a group name or number'],
])('inbox: %j is explained', async (inbox, sentence) => {
  const workspace = await testWorkspace({ sources: { academy: { inbox } } });
  const { code, stderr } = await workspace.cli('status');
  expect(code).toBe(2);
  expect(stderr).toContain(sentence);
});
