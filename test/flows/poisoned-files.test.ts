import { appendFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csvOf, exportRows, workbookOf } from '../support/exports.js';
import { testWorkspace, textOf } from '../support/workspace.js';

const JUNK = Buffer.from(Array.from({ length: 4_000 }, (_, index) => (index * 7919 + 13) % 256));

describe('a file that cannot be imported', () => {
  it('is refused with its reason and does not stop the good one beside it', async () => {
    const workspace = await testWorkspace();
    workspace.drop('binary.csv', JUNK);
    workspace.drop('cut off.xlsx', workbookOf(exportRows(200)).subarray(0, 2_000));
    workspace.drop('empty.csv', '');
    workspace.drop('no header.csv', 'a,b,c\n1,2,3\n');
    workspace.drop('good.csv', csvOf(exportRows(5)));
    const { code, report } = await workspace.run();

    expect(code).toBe(1);
    expect(report).toMatchObject({ balanced: true, attention: 4, states: { accepted: 5 } });
    const refused = report.files.filter(({ state }) => state === 'refused');
    expect(refused.map(({ file }) => file).toSorted()).toEqual([
      'binary.csv',
      'cut off.xlsx',
      'empty.csv',
      'no header.csv',
    ]);
    for (const { file, refusal } of refused) {
      expect(refusal).toMatch(/^\S.*[.!] \S.*\.$/s);
      expect(textOf(workspace, join('rejected/academy', `${file}.reason.txt`))).toBe(`${refusal}\n`);
    }
    expect(workspace.files('rejected')).toHaveLength(8);
    expect(workspace.files('archive')).toEqual([expect.stringMatching(/good\.csv$/)]);
    expect(workspace.files('inbox')).toEqual([]);

    const next = await workspace.run();
    expect({ code: next.code, files: next.report.files }).toEqual({ code: 0, files: [] });
  });

  it('dropped again is refused again, under the name it has now', async () => {
    const workspace = await testWorkspace();
    workspace.drop('first.csv', JUNK);
    await workspace.cli('run');
    workspace.drop('second.csv', JUNK);
    const { code, report } = await workspace.run();
    expect(code).toBe(1);
    expect(report.files).toMatchObject([{ file: 'second.csv', state: 'refused' }]);
    expect(workspace.files('rejected')).toContain('academy/second.csv.reason.txt');
    const yesterday = await workspace.cli('report', '--json', '--until', '2020-01-01');
    const since = await workspace.cli('report', '--json', '--since', '2020-01-01');
    expect(JSON.parse(yesterday.stdout).files).toEqual([]);
    expect(JSON.parse(since.stdout).files).toHaveLength(1);
  });

  it('only under settings that came later stays imported', async () => {
    const text = Buffer.from(csvOf(exportRows(3)).replaceAll('COURSE', 'ÜBUNG'), 'latin1');
    const workspace = await testWorkspace();
    workspace.drop('a.csv', text);
    expect((await workspace.run()).code).toBe(0);
    const config = JSON.parse(textOf(workspace, 'registrar.yaml'));
    config.sources[0].encoding = 'utf-8';
    writeFileSync(join(workspace.root, 'registrar.yaml'), JSON.stringify(config));
    workspace.drop('a.csv', text);
    const { code, report } = await workspace.run();
    expect(code).toBe(0);
    expect(report.files).toMatchObject([{ file: 'a.csv', state: 'published', repeatedArrivals: 1 }]);
    expect(workspace.posts()).toBe(3);
  });
});

describe('an inbox', () => {
  it('keeps what is hidden, unfinished, open elsewhere or a link, and requires the file itself', async () => {
    const workspace = await testWorkspace();
    const left = ['.hidden.csv', 'a.csv.part', 'a.tmp', '~$a.xlsx', 'notes.pdf'];
    for (const name of left) workspace.drop(name, csvOf(exportRows(2)));
    symlinkSync('/etc/hostname', join(workspace.root, 'inbox/academy/link.csv'));
    const { code, report, stderr } = await workspace.run();
    expect({ code, files: report.files }).toEqual({ code: 1, files: [] });
    expect(workspace.files('inbox')).toEqual(
      [...left, 'link.csv'].map((name) => `academy/${name}`).toSorted(),
    );
    expect(stderr).toContain('link.csv is not a plain file: ');
  });

  it('keeps a file that is still growing for the next run', async () => {
    const workspace = await testWorkspace({ sources: { academy: { stableFor: '2s' } } });
    const growing = workspace.drop('growing.csv', csvOf(exportRows(2)));
    const grow = setInterval(() => appendFileSync(growing, 'more,'), 100);
    const { code } = await workspace.cli('run', '--no-push').finally(() => clearInterval(grow));
    expect(code).toBe(0);
    expect(workspace.files('inbox')).toEqual(['academy/growing.csv']);
    expect(workspace.query('select * from drop_file')).toEqual([]);
  });
});
