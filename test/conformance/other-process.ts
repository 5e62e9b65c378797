import { type Tasks, taskRunner } from './tasks.js';

// A process of its own, which does what a test does at the same time.

/** The address of a ledger to open, answered by `ready`; or a task by its name, and what it takes. */
export type TaskMessage =
  | { readonly address: string }
  | { readonly task: keyof Tasks; readonly input: Parameters<Tasks[keyof Tasks]>[0] };

let carryOut: Awaited<ReturnType<typeof taskRunner>>;

process.on('message', async (message: TaskMessage) => {
  if ('address' in message) {
    carryOut = await taskRunner(message.address);
    process.send?.('ready');
  } else process.send?.({ result: await carryOut(message.task, message.input) });
});
