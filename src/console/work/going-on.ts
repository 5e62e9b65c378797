import { OperatorError } from '../../domain/operator-error.js';
import type { Desk } from './desk.js';

/** Work that goes on after its answer. */
export interface Work<Told, Done> {
  /** Shown in the log where it fails. */
  readonly name: string;
  /** @param tell what is known once it has begun; what fails before is told to whoever waits. */
  carryOut(stop: AbortSignal, tell: (told: Told) => void): Promise<Done>;
}

/** Begins the work, and resolves with what it tells first; the work goes on. */
export function onceBegun<Told, Done>(desk: Desk, { name, carryOut }: Work<Told, Done>): Promise<Told> {
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    desk.inBackground(name, async (stop) => {
      try {
        await carryOut(stop, (told) => {
          isAnswered = true;
          resolve(told);
        });
      } catch (error) {
        // Who waits is told; once they have their answer, the log is.
        if (isAnswered) throw error;
        reject(error);
      }
      reject(ended(name));
    });
  });
}

/** Carries out the work, and resolves with its result; it goes on where nobody waits any longer. */
export function onceDone<Told, Done>(desk: Desk, { name, carryOut }: Work<Told, Done>): Promise<Done> {
  return new Promise((resolve, reject) => {
    desk.inBackground(name, (stop) => carryOut(stop, () => {}).then(resolve, reject));
  });
}

function ended(name: string): OperatorError {
  return new OperatorError({
    operation: name,
    subject: 'the console',
    message: 'the console ended before anything was begun',
    hint: 'Ask again once it runs.',
    exit: 'unavailable',
  });
}
