import { describe, expect, it } from 'vitest';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { documentOf, type TestWorkspace, testWorkspace } from '../support/workspace.js';

const TYPO = 'aad.lovelace@example.org';
const ADA = 'ada.lovelace@example.org';

interface MapDocument {
  readonly selected: readonly { readonly state: string }[];
  readonly made: number;
  readonly linked: number;
  readonly sending: number;
  readonly accepted: number;
}

interface ListDocument {
  readonly learners: number;
  readonly rows: number;
  readonly unknown: readonly {
    readonly id: string;
    readonly rows: number;
    readonly near: readonly { readonly id: string; readonly why: string }[];
  }[];
}

const typoRows = [
  exportRow(10, { email: TYPO }),
  exportRow(11, { email: TYPO }),
  exportRow(12, { email: TYPO }),
];

/** One file of Ada's right row and three with a typo, run once. */
async function withTypo(): Promise<TestWorkspace> {
  const workspace = await testWorkspace({
    sandbox: { learners: { unknown: [TYPO, 'new.hire@example.org'] } },
  });
  workspace.drop('a.csv', csvOf([exportRow(1, { email: ADA }), ...typoRows]));
  await workspace.run();
  return workspace;
}

function received(workspace: TestWorkspace): string[] {
  const completions = workspace.sandbox.platform.completions();
  return completions.map(({ attributes }) => `${attributes['user-id']} ${attributes['content-id']}`).sort();
}

describe('registrar map', () => {
  it('lists unknown learners, with accepted learners near them, and changes nothing', async () => {
    const workspace = await withTypo();
    workspace.drop('b.csv', csvOf([exportRow(20, { email: 'new.hire@example.org' })]));
    await workspace.run();
    const list = await workspace.cli('map', '--json');
    expect(list.code).toBe(0);
    expect(documentOf<ListDocument>(list)).toMatchObject({
      learners: 2,
      rows: 4,
      unknown: [
        { id: TYPO, rows: 3, near: [{ id: ADA, why: 'one-letter' }] },
        { id: 'new.hire@example.org', rows: 1, near: [] },
      ],
    });
    const one = await workspace.cli('map', TYPO.toUpperCase());
    expect(one.code).toBe(2);
    expect(one.stdout).toContain(`${ADA} (one letter differs)`);
    expect(one.stdout).not.toContain('new.hire');
    expect(workspace.query('select * from decision')).toEqual([]);
  });

  it('delivers the rows under the corrected identifier, once, and every later file about it', async () => {
    const workspace = await withTypo();
    const mapping = [TYPO, ADA, '--because', 'typo of the HR system'];
    const dry = documentOf<MapDocument>(await workspace.cli('map', ...mapping, '--dry-run', '--json'));
    expect(dry.selected).toHaveLength(3);
    expect(workspace.query('select * from correction')).toEqual([]);

    const mapped = await workspace.cli('map', ...mapping, '--json');
    expect(mapped.code).toBe(0);
    expect(documentOf<MapDocument>(mapped)).toMatchObject({ made: 3, linked: 0, sending: 0, accepted: 0 });
    expect(mapped.stdout).not.toContain('@');
    expect((await workspace.run()).report.states).toMatchObject({ accepted: 3 });
    expect(received(workspace)).toEqual([1, 10, 11, 12].map((n) => `${ADA} COURSE-${n % 7}`).sort());

    const posts = workspace.posts();
    const known = [...typoRows, ...typoRows.map((row) => ({ ...row, email: ADA }))];
    workspace.drop('later.csv', csvOf([...known, exportRow(13, { email: TYPO })]));
    const later = await workspace.run();
    expect(later.report).toMatchObject({
      dispositions: { staged: 1, duplicate: 6 },
      states: { accepted: 1 },
    });
    expect(workspace.posts()).toBe(posts + 1);
    expect(received(workspace)).toHaveLength(5);
    expect(await workspace.books()).toMatchObject({
      balanced: true,
      attention: 0,
      states: { accepted: 5, replaced: 3 },
    });
    const because = 'typo of the HR system';
    expect(workspace.query('select kind, because from decision')).toEqual([{ kind: 'map', because }]);
  });

  it('does not deliver again what was accepted under the old identifier', async () => {
    const workspace = await testWorkspace();
    workspace.drop('a.csv', csvOf([exportRow(1, { email: 'ada@old.example' }), ...exportRows(2, 5)]));
    await workspace.run();
    const mapping = ['ada@old.example', 'ada@new.example', '--because', 'new domain'];
    const mapped = await workspace.cli('map', ...mapping);
    expect(mapped.stdout).toMatch(
      /^0 rows were replaced[\s\S]*1 row was accepted under OLD and stays: it is not sent again/,
    );
    const rows = ['old', 'new'].map((name) => exportRow(1, { email: `ada@${name}.example` }));
    workspace.drop('b.csv', csvOf(rows));
    expect((await workspace.run()).report.dispositions).toMatchObject({ staged: 0, duplicate: 2 });
    expect(workspace.posts()).toBe(3);
  });

  it('is refused in a sentence without an address, and then changes nothing', async () => {
    const workspace = await withTypo();
    const why = ['--because', 'x'];
    const refused: [readonly string[], RegExp][] = [
      [[TYPO, ADA], /needs a reason.*--because/],
      [['nobody@example.org', ADA, ...why], /no row has.*such as Email/],
      [[TYPO, 'ada', ...why], /the new identifier is not one e-mail address: it has no @\./],
      [[TYPO, TYPO, ...why], /both identifiers are the same/],
      [[TYPO, ADA, '--type', 'Name', ...why], /"Name" is not a type.*EmployeeId/],
      [[ADA], /has refused no row/],
    ];
    for (const [args, sentence] of refused) {
      const { code, stderr } = await workspace.cli('map', ...args);
      expect([code, stderr.replaceAll('\n', ' ')]).toEqual([2, expect.stringMatching(sentence)]);
      expect(stderr).not.toMatch(/\w@\w/);
    }
    expect(workspace.query('select * from correction')).toEqual([]);
  });
});
