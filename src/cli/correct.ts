import { resolve } from 'node:path';
import { correct } from '../actions/correct/correct.js';
import type { Answer, Call } from './command.js';
import { decided } from './decided.js';
import type { putRight } from './facts/put-right.js';

/** How many rows of a file are shown. */
const SHOWN = 20;

/** Carries `registrar correct` out: without `--set` its word is a file. */
export async function answer(call: Call<typeof putRight.correct>): Promise<Answer> {
  const [what = ''] = call.inputs;
  const { set } = call.options;
  return decided(
    call,
    correct,
    set === undefined
      ? { kind: 'file', path: resolve(call.io.cwd, what), limit: SHOWN }
      : { kind: 'row', what, set },
  );
}
