import { purge } from '../actions/purging/purge.js';
import type { Answer, Call } from './command.js';
import { decided } from './decided.js';
import type { keep } from './facts/keep.js';

export async function answer(call: Call<typeof keep.purge>): Promise<Answer> {
  const { before, archive = false } = call.options;
  return decided(call, purge, { before, archive });
}
