import { dismiss } from '../actions/dismiss.js';
import { DISMISSABLE } from '../actions/rows/selectable.js';
import type { Answer, Call } from './command.js';
import { decided } from './decided.js';
import type { putRight } from './facts/put-right.js';
import { namedRows, requiredRows } from './row-selection.js';

export async function answer(call: Call<typeof putRight.dismiss>): Promise<Answer> {
  const { options } = call;
  const { drop = null } = options;
  const selection =
    drop === null ? requiredRows('dismiss', options, DISMISSABLE) : namedRows(options, DISMISSABLE);
  return decided(call, dismiss, { selection, drop });
}
