/** Carries all steps out: what each gave, and what they returned at last. */
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
