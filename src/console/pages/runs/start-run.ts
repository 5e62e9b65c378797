import { environmentNamed, sourceNamed } from '../../../actions/context.js';
import { jobName } from '../../../config/values/job-name.js';
import { OperatorError } from '../../../domain/operator-error.js';
import { deciderOf } from '../../visits/visit.js';
import { beginLine, beginRun } from '../../work/begin-run.js';
import type { Page } from '../page.js';
import { numberOf } from '../parts/number-in.js';

export const stopRunForm: Page = {
  path: '/runs/:run/stop',
  async submit({ params }, _fields, context) {
    const run = numberOf(params.run, 'run');
    context.started.runs.get(run)?.stop.abort();
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
    const { first } = await beginRun(context, request, deciderOf(visit));
    return { to: `/runs/${first.run}` };
  },
};

/** Does the work of a line of the schedule, without waiting for the end. */
export const startLineForm: Page = {
  path: '/schedule/start',
  async submit(visit, fields, context) {
    const name = fields.one('line');
    const { schedule } = context.actionContext().config;
    const entry = schedule.find((line) => jobName(line) === name);
    if (entry === undefined || entry.paused !== undefined) {
      throw new OperatorError({
        operation: 'start a line of the schedule',
        subject: name,
        message: 'this line is paused, or no longer in the schedule',
        hint: 'Open Schedule again.',
        reason: 'not-found',
      });
    }
    beginLine(context, entry, deciderOf(visit));
    return { to: '/schedule' };
  },
};
