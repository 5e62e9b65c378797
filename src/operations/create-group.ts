import type { Operation } from './operation.js';

/** Create a group with a name and a description (specification §2.4). */
export const createGroup: Operation = {
  name: 'create-group',
  family: 'group',
  kind: 'steps',
  fields: [
    { name: 'name', kind: 'passage', required: true, sent: true, headers: ['group-name'] },
    {
      name: 'description',
      kind: 'passage',
      required: false,
      sent: true,
      headers: ['group-description'],
    },
  ],
  learner: null,
  content: { type: { is: 'group' }, id: 'name' },
  occurrence: null,
};
