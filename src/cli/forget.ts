import { forget } from '../actions/forgetting/forget.js';
import type { Answer, Call } from './command.js';
import { decided } from './decided.js';
import type { keep } from './facts/keep.js';

export async function answer(call: Call<typeof keep.forget>): Promise<Answer> {
  const [learner = ''] = call.inputs;
  const { type, reports = false } = call.options;
  return decided(call, forget, { learner, type, reports });
}
