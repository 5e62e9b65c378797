import { OperatorError } from '../../domain/operator-error.js';

/**
 * Carries out the steps of a decision, and returns what they return at their end. Throws OperatorError where another
 * process has taken over the leases meanwhile.
 * @param lost aborted once another process has one of the leases. @param onStep is called with each step.
 */
export async function runSteps<Step, Result>(
  steps: AsyncGenerator<Step, Result, undefined>,
  lost: AbortSignal,
  onStep: (step: Step) => void | Promise<void> = () => {},
): Promise<Result> {
  for (;;) {
    const step = await steps.next();
    if (step.done) return step.value;
    await onStep(step.value);
    // Thrown into the generator, so that it closes the rows it is reading.
    if (lost.aborted) await steps.throw(takenOver());
  }
}

function takenOver(): OperatorError {
  return new OperatorError({
    operation: 'carry out a decision',
    subject: 'the ledger',
    message: 'another process has taken over this decision',
    hint: 'What is done stays done, and the next registrar run or decision carries out the rest.',
    exit: 'attention',
  });
}
