import { submitCompletion } from '../../operations/submit-completion.js';
import { COMPLETIONS_WRITE } from '../scopes.js';
import { callBody } from './call-body.js';
import type { PlatformCall } from './platform-call.js';

/**
 * POST /api/v2/completions (specification §2.2 and §4.2). The attributes have the names of the fields and the specification's
 * order; a field the row didn't give is left out, a score of 0 is sent.
 */
export const postCompletion: PlatformCall = {
  scope: COMPLETIONS_WRITE,
  request: ([{ fields }]) => {
    const sent = submitCompletion.fields.filter(({ sent }) => sent).map(({ name }) => [name, fields[name]]);
    return {
      method: 'POST',
      path: '/api/v2/completions',
      body: callBody({ type: 'completions', attributes: {} }, Object.fromEntries(sent)),
    };
  },
};
