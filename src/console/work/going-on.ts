import { OperatorError } from '../../domain/operator-error.js';
import type { ConsoleContext } from './console-context.js';

export interface Work<Result, Done> {
  /** Shown in the log where it fails. */
  readonly name: string;
  /** @param report shows the first result once the work has begun; an earlier failure goes to the caller. */
  carryOut(stop: AbortSignal, report: (result: Result) => void): Promise<Done>;
}

/** Begins the work, and resolves with its first result; the work goes on. */
export function onceBegun<Result, Done>(
  context: ConsoleContext,
  { name, carryOut }: Work<Result, Done>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    context.inBackground(name, async (stop) => {
      try {
        await carryOut(stop, (result) => {
          isAnswered = true;
          resolve(result);
        });
      } catch (error) {
        // A failure goes to the caller; after the answer, to the log.
        if (isAnswered) throw error;
        reject(error);
      }
      reject(ended(name));
    });
  });
}

/** Carries out the work, and resolves with its result; it goes on when its caller has gone. */
export function onceDone<Result, Done>(
  context: ConsoleContext,
  { name, carryOut }: Work<Result, Done>,
): Promise<Done> {
  return new Promise((resolve, reject) => {
    context.inBackground(name, (stop) => carryOut(stop, () => {}).then(resolve, reject));
  });
}

function ended(name: string): OperatorError {
  return new OperatorError({
    operation: name,
    subject: 'the console',
    message: 'the console ended before anything was begun',
    hint: 'Try again once it runs.',
    exit: 'unavailable',
  });
}
