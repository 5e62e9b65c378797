import type { Command } from 'commander';
import { type Issue, issueText } from '../domain/issue.js';
import { openDrop } from '../intake/open-drop.js';
import { closeLedger, openLedgerToRead } from '../ledger/open.js';
import { operationNamed } from '../operations/registry.js';
import { textTable } from '../report/text-table.js';
import { type CheckedDrop, checkDrop } from '../staging/check-drop.js';
import { planAsKnown } from '../staging/known-mapping.js';
import { planDrop } from '../staging/plan-drop.js';
import { inspectDocument, inspectDrop } from './inspect.js';
import { type CommonOptions, type Io, print } from './io.js';
import type { Finish, Interrupt } from './program.js';
import { readWorkspace, sourceNamed } from './session.js';
import { wholeNumber } from './whole-number.js';

interface CheckOptions extends CommonOptions {
  readonly source: string;
  readonly limit: number;
}

/** `registrar check`: a dry run of one file. */
export function addCheck(program: Command, io: Io, _interrupt: Interrupt, finish: Finish): void {
  program
    .command('check <file>')
    .description('dry run: what staging would make of a file; writes nothing, sends nothing')
    .requiredOption('--source <name>', 'the source whose settings apply')
    .option('--limit <n>', 'issues and requests to show', wholeNumber, 20)
    .action(async (file: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<CheckOptions>();
      const { config, paths, clock } = readWorkspace(io, options);
      const source = sourceNamed(config, options.source);
      const operation = operationNamed(source.operation);
      const opened = await openDrop(file, source);
      const seen = inspectDocument(await inspectDrop(opened, source, options));
      const planned = await planDrop(opened, operation, source);
      const setAside = (issues: readonly Issue[]) => {
        const sentences = issues.map((issue) => `${issueText(issue)}\n`).join('');
        print(
          io,
          options,
          () => ({ ...seen, dispositions: null, issues, records: [] }),
          () => `The file would be set aside. ${sentences}`,
        );
        finish('attention');
      };
      const ledger = openLedgerToRead(paths.ledger, clock);
      try {
        const plan = ledger ? planAsKnown(ledger, source, planned) : planned;
        if (!('header' in plan)) return setAside(plan);
        const { limit } = options;
        const checked = await checkDrop(opened, plan, { ledger, clock, source, operation, limit });
        print(
          io,
          options,
          () => ({ ...seen, ...checked }),
          () => text(checked),
        );
        if (checked.dispositions.invalid > 0) finish('attention');
      } finally {
        if (ledger) closeLedger(ledger);
      }
    });
}

function text({ dispositions, issues, records }: CheckedDrop): string {
  const counts = Object.entries(dispositions).filter(([, count]) => count > 0);
  const lines = [
    counts.length === 0 ? 'no rows' : counts.map(([name, count]) => `${count} ${name}`).join(', '),
    '',
  ];
  if (issues.length > 0) {
    lines.push(
      textTable(
        ['LINE', 'CODE', 'WHAT AND WHAT TO DO'],
        issues.map((issue) => [issue.line, issue.code, issueText(issue)]),
      ),
      '',
    );
  }
  for (const { line, request } of records) {
    lines.push(`line ${line}: ${request.method} ${request.path} ${JSON.stringify(request.body)}`);
  }
  return `${lines.join('\n').trimEnd()}\n`;
}
