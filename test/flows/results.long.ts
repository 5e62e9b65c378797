import { describe, expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { until } from '../support/workspace.js';
import { mailWorkspace } from './results-setup.js';

describe('results by mail', () => {
  it('of two services come once each', async () => {
    const { workspace, mails } = await mailWorkspace();
    const [here, apart] = [workspace.begin('schedule'), workspace.start('schedule')];
    for (let index = 0; index < 4; index += 1)
      workspace.drop(`file-${index}.csv`, csvOf(exportRows(1, index)));
    const isDone = () =>
      workspace.query<{ n: number }>('select count(*) as n from result where delivered_at is not null')[0]
        ?.n === 4;
    await until('all results are delivered', isDone);
    here.stop();
    apart.kill('SIGTERM');
    await Promise.all([here.ended, apart.ended]);
    expect(mails).toHaveLength(4);
    expect(new Set(mails.map(({ raw }) => /Subject: .*/.exec(raw)?.[0])).size).toBe(4);
  });
});
