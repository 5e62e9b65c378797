import type { Command } from 'commander';
import type { SourceConfig } from '../config/schema.js';
import { type Issue, issueText } from '../domain/issue.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { closeLedger, openLedgerToRead } from '../ledger/open.js';
import type { Ledger } from '../ledger/query.js';
import { KNOWN_CALLS } from '../operations/platform-calls.js';
import { operationNamed } from '../operations/registry.js';
import { textTable } from '../report/text-table.js';
import type { AttentionSheet } from '../staging/attention-sheet.js';
import { type CheckedDrop, checkDrop } from '../staging/check-drop.js';
import { planAsKnown } from '../staging/known-mapping.js';
import { openDelivered } from '../staging/open-delivered.js';
import { type Planned, planDrop } from '../staging/plan-drop.js';
import { planRedrop, type RedropPlan } from '../staging/plan-redrop.js';
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
      const opened = await openDelivered(file, source);
      const seen = inspectDocument(await inspectDrop(opened, source, options));
      const planned = await planDrop(opened, operation, source);
      const setAside = (issues: readonly Issue[]) => {
        const sentences = issues.map((issue) => `${issueText(issue)}\n`).join('');
        print(
          io,
          options,
          () => ({ ...seen, dispositions: null, issues, records: [], redrop: null }),
          () => `The file would be set aside. ${sentences}`,
        );
        finish('attention');
      };
      const ledger = openLedgerToRead(paths.ledger, clock);
      try {
        const plan = await planToCheck(opened, planned, ledger, source);
        if (!('header' in plan || 'kind' in plan)) return setAside(plan);
        const { limit } = options;
        const calls = config.environments[source.environment] ?? KNOWN_CALLS;
        const checked = await checkDrop(opened, plan, { ledger, clock, source, operation, calls, limit });
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

function planToCheck(
  opened: OpenedDrop,
  planned: Planned | AttentionSheet,
  ledger: Ledger | null,
  source: SourceConfig,
): Promise<RedropPlan | readonly Issue[]> | Planned {
  if ('kind' in planned) return planRedrop(opened, planned, ledger, source);
  return ledger ? planAsKnown(ledger, source, planned) : planned;
}

function text({ dispositions, issues, records, redrop }: CheckedDrop): string {
  const counts = Object.entries(dispositions).filter(([, count]) => count > 0);
  const lines = [
    counts.length === 0 ? 'no rows' : counts.map(([name, count]) => `${count} ${name}`).join(', '),
    '',
  ];
  if (redrop) {
    lines.push(
      `Corrects ${redrop.file} (drop ${redrop.drop}).`,
      textTable(
        ['LINE', 'ORIGINAL', 'WOULD BE', 'AND THE ORIGINAL'],
        redrop.rows.map((row) => [row.line, row.originalLine, row.disposition, row.original]),
      ),
      '',
    );
  }
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
