import { restage } from '../actions/restage/restage.js';
import type { Answer, Call } from './command.js';
import { decided } from './decided.js';
import type { putRight } from './facts/put-right.js';

export async function answer(call: Call<typeof putRight.restage>): Promise<Answer> {
  const [drop = ''] = call.inputs;
  return decided(call, restage, { drop, limit: call.options.limit });
}
