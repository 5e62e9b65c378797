import { tmpdir } from 'node:os';
import { type DemoStep, demo } from '../actions/demo/demo.js';
import { runDocument } from '../actions/documents/report-document.js';
import { countOf } from '../domain/text/count-of.js';
import { inWords } from '../domain/text/duration-words.js';
import type { Answer, Call } from './command.js';
import type { setUp } from './facts.js';
import { show } from './io.js';
import { runText, runWithProgress } from './show-run.js';

export async function answer({ io, options, interrupt, who }: Call<typeof setUp.demo>): Promise<Answer> {
  // Rows that need attention are part of the show, so they are no warnings here.
  const watched = { io, interrupt, who, options: io.isTerminal ? options : { ...options, quiet: true } };
  const parent = io.env.TMPDIR || tmpdir();
  const { workspace, first, second, problems } = await demo(parent, {
    run: (context, request) => runWithProgress(watched, context, request),
    showStep: (step) => {
      if (!options.quiet && !options.json) show(io, stepText(step, io.cwd));
    },
  });
  const isInterrupted = [first, second].some(({ exit }) => exit === 'interrupted');
  const ok = problems.length === 0;
  return {
    document: () => ({ workspace, ok, problems, first: runDocument(first), second: runDocument(second) }),
    text: () =>
      ok
        ? `Demo finished. Explore the workspace at ${workspace}\n`
        : `The demo failed: ${problems.join('; ')}.\n`,
    exit: isInterrupted ? 'interrupted' : ok ? 'done' : 'attention',
  };
}

function stepText(step: DemoStep, cwd: string): string {
  switch (step.kind) {
    case 'opened': {
      const { requests, perMs } = step.quota;
      const allowed = `${countOf(requests, 'request')} per ${inWords(perMs)} (a real one: 70 per minute)`;
      return `Registrar's demo, in ${step.workspace}
Three exports of learning systems go to an embedded platform: a UTF-8 CSV, a Windows-1252 CSV with
semicolons and day-first dates, a workbook with real dates and percent scores. The platform allows
${allowed}, doesn't know learners called "unknown", and is
set to fail once with a 5xx and once with a 429.

`;
    }
    case 'ran':
      return `${runText(step.result, step.workspace, cwd)}\n`;
    case 'repeated':
      return `The same files dropped a second time: ${countOf(step.sent, 'request')}, ${countOf(step.rows, 'row')} staged.\n\n`;
  }
}
