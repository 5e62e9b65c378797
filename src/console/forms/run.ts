import { sourceNamed } from '../../actions/context.js';
import type { Form } from '../pages/form.js';
import { numberOf } from '../pages/parts/number-in.js';
import { beginRunOf, stopRun } from '../work/runs-begun.js';

/** Stops a run that this console has begun. */
export const stopRunForm: Form = {
  path: '/runs/:run/stop',
  async submit({ params }, _fields, desk) {
    const run = numberOf(params.run, 'run');
    stopRun(desk, run);
    return { to: `/runs/${run}` };
  },
};

/** Imports the files of one source and delivers, without waiting for the end. */
export const runForm: Form = {
  path: '/run',
  async submit(visit, fields, desk) {
    const { name } = sourceNamed(desk.context().config, fields.one('source'));
    const run = await beginRunOf(desk, name, visit.person.name);
    return { to: run === null ? '/files' : `/runs/${run}` };
  },
};
