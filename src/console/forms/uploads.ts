import { discardUpload, takeUpload } from '../../actions/uploads/uploads.js';
import type { Form } from '../pages/form.js';
import { hrefOf } from '../visits/address.js';

/** Moves an upload into its source's inbox. */
export const takeUploadForm: Form = {
  path: '/files/uploads/:id/take',
  async submit(visit, fields, desk) {
    const { id = '' } = visit.params;
    const { source } = await takeUpload(desk.context(), { id, name: fields.one('name') });
    return { to: hrefOf({ path: '/files', query: { source } }) };
  },
};

/** Throws an upload away. */
export const discardUploadForm: Form = {
  path: '/files/uploads/:id/discard',
  async submit(visit, _fields, desk) {
    await discardUpload(desk.context(), { id: visit.params.id ?? '' });
    return { to: '/files' };
  },
};
