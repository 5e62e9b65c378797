import { correct } from '../actions/correct/correct.js';
import type { Answer, Call } from './command.js';
import { decided } from './decided.js';
import type { putRight } from './facts/put-right.js';
import { wrongUse } from './wrong-use.js';

export async function answer(call: Call<typeof putRight.correct>): Promise<Answer> {
  const [what = ''] = call.inputs;
  const { set } = call.options;
  if (set === undefined) {
    throw wrongUse(
      '--set',
      'correct takes one row, and its right values by --set',
      'Write --set "COLUMN=value". A corrected file is imported like any other: put it into an inbox.',
    );
  }
  return decided(call, correct, { what, set });
}
