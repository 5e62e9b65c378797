import { sourceNamed } from '../../actions/context.js';
import { beginRunOf } from '../server/work/runs-begun.js';
import type { Form } from './form.js';

/** Takes in the files of one source and delivers, without waiting for the end. */
export const runForm: Form = {
  path: '/run',
  async submit(visit, fields, desk) {
    const { name } = sourceNamed(desk.context().config, fields.one('source'));
    beginRunOf(desk, name, visit.person.name);
    return { to: '/files' };
  },
};
