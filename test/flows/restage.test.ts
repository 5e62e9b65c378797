import { describe, expect, it } from 'vitest';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { setSources } from '../support/set-sources.js';
import { documentOf, testWorkspace } from '../support/workspace.js';

interface RestageDocument {
  readonly open: number;
  readonly made: number;
  readonly repeated: number;
  readonly still: number;
  readonly issues: readonly { readonly line: number; readonly code: string }[];
}

describe('restage', () => {
  it('reads invalid rows again after the source was corrected, and they are delivered and off the list', async () => {
    const workspace = await testWorkspace();
    const odd = exportRow(10, { status: 'Waved through' });
    workspace.drop('a.csv', csvOf([...exportRows(2), odd, exportRow(11, { email: 'nobody' })]));
    const first = await workspace.run();
    expect(first.code).toBe(1);
    expect(first.report.dispositions).toMatchObject({ staged: 2, invalid: 2 });

    setSources(workspace, { status: { completed: ['waved through'] } });
    const restage = await workspace.cli('restage', 'a.csv', '--json');
    expect(restage.code).toBe(1);
    expect(documentOf<RestageDocument>(restage)).toMatchObject({
      open: 2,
      made: 1,
      repeated: 0,
      still: 1,
      issues: [{ line: 5, code: 'email-invalid' }],
    });

    expect((await workspace.run()).report.states).toMatchObject({ accepted: 1 });
    expect(workspace.sandbox.platform.completions()).toHaveLength(3);
    const books = await workspace.books();
    expect(books).toMatchObject({ balanced: true, attention: 1, dispositions: { staged: 2, invalid: 2 } });
    expect(books.causes.map(({ code }) => code)).toEqual(['email-invalid']);
    expect(workspace.query('select kind from decision')).toEqual([{ kind: 'restage' }]);
  });

  it('creates nothing twice, when it is repeated or the record is already known', async () => {
    const workspace = await testWorkspace();
    const row = exportRow(10);
    workspace.drop('odd.csv', csvOf([{ ...row, status: 'Waved through' }]));
    workspace.drop('good.csv', csvOf([row]));
    await workspace.run();
    setSources(workspace, { status: { completed: ['waved through'] } });
    const once = documentOf<RestageDocument>(await workspace.cli('restage', 'odd.csv', '--json'));
    expect(once).toMatchObject({ open: 1, made: 0, repeated: 1, still: 0 });
    const twice = await workspace.cli('restage', 'odd.csv', '--json');
    expect(documentOf<RestageDocument>(twice)).toMatchObject({ open: 0, made: 0, repeated: 0 });
    expect(twice.code).toBe(0);
    expect((await workspace.books()).attention).toBe(0);
    expect(workspace.posts()).toBe(1);
  });

  it('names the drops when the name is not enough', async () => {
    const workspace = await testWorkspace();
    workspace.drop('a.csv', csvOf(exportRows(1)));
    await workspace.run();
    workspace.drop('a.csv', csvOf(exportRows(2)));
    await workspace.run();
    const result = await workspace.cli('restage', 'a.csv');
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('by its number: 1, 2');
    expect((await workspace.cli('restage', 'b.csv')).code).toBe(2);
  });
});
