import { expect, it } from 'vitest';
import { scheduleSchema } from '../../src/config/schema/schedule-schema.js';
import type { ConsoleContext } from '../../src/console/work/console-context.js';
import { beginLine, startedLines } from '../../src/console/work/started-lines.js';
import { manualClock } from '../support/manual-clock.js';

it('a line that is running is not started a second time', async () => {
  const running: string[] = [];
  const clock = manualClock();
  const context = {
    actionContext: () => ({ clock }),
    inBackground: (name: string) => void running.push(name),
  } as unknown as ConsoleContext;
  const entry = scheduleSchema.parse({ cron: '0 6 * * *', do: ['run'] });
  beginLine(context, entry, 'ben');
  expect(() => beginLine(context, entry, 'ben')).toThrow('it was started here and is still running');
  expect(running).toHaveLength(1);
  expect(startedLines(context)).toMatchObject([{ who: 'ben', outcome: null }]);
});
