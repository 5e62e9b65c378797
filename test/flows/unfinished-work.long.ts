import { expect, it } from 'vitest';
import { finishedByService, INTERRUPTIONS, WORK } from '../support/interrupted.js';

/** Every n-th combination is tested. */
const EVERY = Number(process.env.LEFT_WORK_EVERY ?? 1);

const COMBINATIONS = WORK.flatMap((work) =>
  INTERRUPTIONS.flatMap((interruption) =>
    [false, true].map((hasRunLine) => ({ work, interruption, line: hasRunLine ? 'a run line' : 'no line' })),
  ),
).filter((_, index) => index % EVERY === 0);

it.each(COMBINATIONS)(
  'a service with $line finishes the $work after $interruption',
  { tags: ['mount'] },
  async ({ work, interruption, line }) => {
    const { ms, workspace, end } = await finishedByService(work, interruption, line !== 'no line');
    console.log(`${work}, ${interruption}, ${line}: ${(ms / 1_000).toFixed(1)} s`);
    await end();
    const books = await workspace.books();
    expect(books.balanced).toBe(true);
  },
);
