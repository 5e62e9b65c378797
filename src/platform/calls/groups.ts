import { CONTENT_WRITE } from '../scopes.js';
import { callBody } from './call-body.js';
import type { PlatformCall } from './platform-call.js';

/** Path and payload aren't shown (specification §2.4, §4.4): they are the environment's `groups`. */
export const postGroup: PlatformCall = {
  scope: CONTENT_WRITE,
  notShown:
    'The specification shows neither path nor payload of this call: they are groups of the environment in registrar.yaml, by default what is publicly known.',
  texts: { fields: ['name', 'description'], call: 'groups' },
  request: ([record], { groups }) => ({
    method: 'POST',
    path: groups.path,
    body: callBody(groups, record.fields),
  }),
};
