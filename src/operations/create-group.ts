import { callBody } from './call-body.js';
import { type Operation, requiredField } from './operation.js';

/**
 * Create a group with a name and a description (specification §2.4). Path and payload aren't shown there (§4.4): they
 * are the environment's `groups`.
 */
export const createGroup: Operation = {
  name: 'create-group',
  scope: 'content:write',
  notShown:
    'The specification shows neither path nor payload of this call: they are groups of the environment in registrar.yaml, by default what is publicly known.',
  family: 'group',
  kind: 'steps',
  fields: [
    { name: 'name', kind: 'passage', required: true, sent: true, aliases: ['group', 'group name', 'team'] },
    {
      name: 'description',
      kind: 'passage',
      required: false,
      sent: true,
      aliases: ['group description', 'summary'],
    },
  ],
  texts: { fields: ['name', 'description'], call: 'groups' },
  learner: () => null,
  aboutLearner: (record) => record,
  slot: (record) => [String(requiredField(record, 'name'))],
  occurrence: null,
  request: ([record], { groups }) => ({
    method: 'POST',
    path: groups.path,
    body: callBody(groups, record.fields),
  }),
};
