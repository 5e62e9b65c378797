import { environmentNamed, sourceNamed } from '../../../actions/context.js';
import { jobName } from '../../../config/values/job-name.js';
import { OperatorError } from '../../../domain/operator-error.js';
import { deciderOf } from '../../visits/visit.js';
import { onceBegun } from '../../work/going-on.js';
import { runWork, stopRun } from '../../work/run-work.js';
import { beginLine } from '../../work/started-lines.js';
import type { Page } from '../page.js';
import { numberOf } from '../parts/number-in.js';

export const stopRunForm: Page = {
  path: '/runs/:run/stop',
  async submit({ params }, _fields, context) {
    const run = numberOf(params.run, 'run');
    stopRun(context, run);
    return { to: `/runs/${run}` };
  },
};

/** Imports the files of a source and delivers, or delivers to an environment, without waiting for the end. */
export const runForm: Page = {
  path: '/run',
  async submit(visit, fields, context) {
    const { config } = context.actionContext();
    const environment = fields.one('environment');
    const sources = environment === '' ? [sourceNamed(config, fields.one('source')).name] : [];
    const confirmed = fields.one('confirm') === 'yes' ? sources : [];
    const request =
      environment === ''
        ? { sources, confirmed }
        : { environments: [environmentNamed(config, environment)], intake: false };
    const { run } = await onceBegun(context, runWork(context, request, deciderOf(visit)));
    return { to: `/runs/${run}` };
  },
};

/** Does the work of a line of the schedule, without waiting for the end. */
export const startLineForm: Page = {
  path: '/schedule/start',
  async submit(visit, fields, context) {
    const name = fields.one('line');
    const { schedule } = context.actionContext().config;
    const entry = schedule.find((line) => jobName(line) === name);
    if (entry === undefined) {
      throw new OperatorError({
        operation: 'start a line of the schedule',
        subject: name,
        message: 'this line is no longer in the schedule',
        hint: 'Choose one of its lines.',
        reason: 'not-found',
      });
    }
    if (entry.paused !== undefined) {
      throw new OperatorError({
        operation: 'start a line of the schedule',
        subject: name,
        message: `it is paused: ${entry.paused}`,
        hint: 'Resume it in Settings first.',
        reason: 'invalid',
      });
    }
    beginLine(context, entry, visit.person.name);
    return { to: '/schedule' };
  },
};
