import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { testWorkspace } from '../support/workspace.js';

describe('an import of a container that is killed', () => {
  it('goes on within the file that was half staged', async () => {
    const workspace = await testWorkspace();
    workspace.drop('large.csv.gz', gzipSync(csvOf(exportRows(2_500))));
    const killed = workspace.startWith({ REGISTRAR_FAILPOINT: 'batch-committed' }, 'run', '--no-push');
    expect((await killed.ended).code).toBeNull();
    const [half] = workspace.query<{ line: number }>('select staged_line as line from drop_file');
    expect(half?.line).toBeGreaterThan(0);
    expect(half?.line).toBeLessThan(2_500);
    const { code } = await workspace.run('--no-push');
    expect(code).toBe(0);
    expect(workspace.states()).toEqual({ waiting: 2_500 });
    expect(workspace.query('select file_name as file, state from drop_file')).toEqual([
      { file: 'large.csv.gz', state: 'published' },
    ]);
    expect(workspace.files('processing')).toEqual([]);
  });
});
