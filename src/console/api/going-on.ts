import { OperatorError } from '../../domain/operator-error.js';
import type { Asked } from './operation.js';

/** Work that goes on after its answer. */
interface GoingOn<Told, Done> {
  /** Shown in the log where it fails. */
  readonly name: string;
  /** @param tell what is known once it has begun; what fails before is told to whoever waits. */
  work(stop: AbortSignal, tell: (told: Told) => void): Promise<Done>;
}

/** Begins the work, and resolves with what it tells first; with `wait` with its result. */
export async function goingOn<Told, Done>(
  { desk, keepWaiting }: Pick<Asked, 'desk' | 'keepWaiting'>,
  wait: boolean,
  { name, work }: GoingOn<Told, Done>,
): Promise<{ readonly told: Told } | { readonly done: Done }> {
  if (wait) keepWaiting();
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    desk.inBackground(name, async (stop) => {
      try {
        const done = await work(stop, (told) => {
          if (wait) return;
          isAnswered = true;
          resolve({ told });
        });
        if (wait) resolve({ done });
      } catch (error) {
        // Who waits is told; once they have their answer, the log is.
        if (isAnswered) throw error;
        reject(error);
      }
      reject(ended(name));
    });
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
