import { discardUpload, takeUpload } from '../../actions/uploads.js';
import type { Form } from '../pages/form.js';
import { hrefOf } from '../visits/address.js';
import { deciderOf } from '../visits/visit.js';

/** Gives an upload its name in its source's inbox. */
export const takeUploadForm: Form = {
  path: '/files/uploads/:source/:id/take',
  async submit(visit, fields, desk) {
    const { source = '', id = '' } = visit.params;
    const took = await takeUpload(desk.context(), { source, id }, fields.one('name'), deciderOf(visit));
    return { to: hrefOf({ path: '/files', query: { source, took } }) };
  },
};

/** Removes an upload. */
export const discardUploadForm: Form = {
  path: '/files/uploads/:source/:id/discard',
  async submit({ params: { source = '', id = '' } }, _fields, desk) {
    await discardUpload(desk.context(), { source, id });
    return { to: '/files' };
  },
};
