/** Runs all steps. Returns what each yielded, and the final result. */
export async function runToCompletion<Step, Result>(
  steps: AsyncGenerator<Step, Result, undefined>,
): Promise<{ readonly steps: readonly Step[]; readonly result: Result }> {
  const yielded: Step[] = [];
  for (;;) {
    const step = await steps.next();
    if (step.done) return { steps: yielded, result: step.value };
    yielded.push(step.value);
  }
}
