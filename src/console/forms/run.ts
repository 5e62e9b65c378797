import { sourceNamed } from '../../actions/context.js';
import type { Form } from '../pages/form.js';
import { beginRunOf } from '../work/runs-begun.js';

/** Imports the files of one source and delivers, without waiting for the end. */
export const runForm: Form = {
  path: '/run',
  async submit(visit, fields, desk) {
    const { name } = sourceNamed(desk.context().config, fields.one('source'));
    beginRunOf(desk, name, visit.person.name);
    return { to: '/files' };
  },
};
