import type { Command } from 'commander';
import type { SourceConfig } from '../config/schema.js';
import { type Issue, issueText } from '../domain/issue.js';
import { DISPOSITIONS } from '../domain/row.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { closeLedger, openLedgerToRead } from '../ledger/open.js';
import type { Ledger } from '../ledger/query.js';
import { noDispositions } from '../ledger/staging.js';
import { KNOWN_CALLS } from '../operations/platform-calls.js';
import { operationNamed } from '../operations/registry.js';
import { textTable } from '../report/text-table.js';
import { type AddressPlan, planAddresses } from '../staging/address-sheet.js';
import { type CheckedDrop, checkAddresses, checkDrop } from '../staging/check-drop.js';
import type { CorrectionFile } from '../staging/correction-file.js';
import { planAsKnown } from '../staging/known-mapping.js';
import { openDelivered } from '../staging/open-delivered.js';
import { type Planned, planDrop } from '../staging/plan-drop.js';
import { planRedrop, type RedropPlan } from '../staging/plan-redrop.js';
import { inspectDocument, inspectDrop } from './inspect.js';
import { type CommonOptions, type Io, print, widthOf } from './io.js';
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
      const { config, paths, clock } = readWorkspace(io, options, 'unused');
      const source = sourceNamed(config, options.source);
      const opened = await openDelivered(file, source);
      const seen = inspectDocument(await inspectDrop(opened, source, options));
      const planned = await planDrop(opened, operationNamed(source.operation), source);
      const ledger = openLedgerToRead(paths.ledger, clock);
      try {
        const checked: CheckedDrop[] = [];
        const refused: Issue[] = [];
        for (const plan of await plansToCheck(opened, planned, ledger, config.sources, source)) {
          if (!('header' in plan || 'judged' in plan)) {
            refused.push(...plan);
            continue;
          }
          if ('judged' in plan) {
            checked.push(await checkAddresses(opened, plan, options.limit));
            continue;
          }
          const of = 'kind' in plan ? plan.source : source;
          const operation = operationNamed(of.operation);
          const calls = config.environments[of.environment] ?? KNOWN_CALLS;
          const { limit } = options;
          checked.push(await checkDrop(opened, plan, { ledger, clock, source: of, operation, calls, limit }));
        }
        const all = together(checked, refused, options.limit);
        print(
          io,
          options,
          () => ({ ...seen, ...all }),
          () => text(all, refused, widthOf(io)),
        );
        if (refused.length > 0 || (all.dispositions?.invalid ?? 0) > 0) finish('attention');
      } finally {
        if (ledger) closeLedger(ledger);
      }
    });
}

/** How the file would be read, for a workbook of corrections sheet by sheet; or the issues why it would not be. */
async function plansToCheck(
  opened: OpenedDrop,
  planned: Planned | CorrectionFile,
  ledger: Ledger | null,
  sources: readonly SourceConfig[],
  source: SourceConfig,
): Promise<readonly (Planned | RedropPlan | AddressPlan)[]> {
  if (!('kind' in planned)) return [ledger ? planAsKnown(ledger, source, planned) : planned];
  return Promise.all(
    planned.sheets.map((sheet) =>
      sheet.of === 'learners'
        ? planAddresses(opened, sheet, ledger)
        : planRedrop(opened, sheet, ledger, sources),
    ),
  );
}

/** What staging would make of the whole file. */
function together(checked: readonly CheckedDrop[], refused: readonly Issue[], limit: number) {
  const dispositions = noDispositions();
  for (const one of checked) {
    for (const name of DISPOSITIONS) dispositions[name] += one.dispositions[name];
  }
  const issues: readonly (Issue & { readonly line?: number })[] = [
    ...refused,
    ...checked.flatMap((one) => one.issues.slice(0, limit)),
  ];
  return {
    dispositions: checked.length === 0 ? null : dispositions,
    issues: issues.slice(0, Math.max(limit, refused.length)),
    records: checked.flatMap(({ records }) => records).slice(0, limit),
    redrops: checked.flatMap(({ redrop }) => redrop ?? []),
  };
}

function text(
  { dispositions, issues, records, redrops }: ReturnType<typeof together>,
  refused: readonly Issue[],
  columns: number | null,
) {
  const aside = refused.map((issue) => `${issueText(issue)}\n`).join('');
  if (dispositions === null) return `The file would be set aside. ${aside}`;
  const counts = Object.entries(dispositions).filter(([, count]) => count > 0);
  const lines = [
    ...(aside === '' ? [] : [`A sheet would not be taken. ${aside}`]),
    counts.length === 0 ? 'no rows' : counts.map(([name, count]) => `${count} ${name}`).join(', '),
    '',
  ];
  for (const { sheet, corrects, rows } of redrops) {
    const files = corrects.map(({ drop, file }) => `${file} (drop ${drop})`).join(', ');
    lines.push(
      `${sheet === null ? 'Corrects' : `Sheet ${sheet} corrects`} ${files}.`,
      textTable(
        ['LINE', 'DROP', 'ORIGINAL', 'WOULD BE', 'AND THE ORIGINAL'],
        rows.map((row) => [row.line, row.drop, row.originalLine, row.disposition, row.original]),
        columns,
      ),
      '',
    );
  }
  const ofRows = issues.flatMap(({ line, ...issue }) => (line === undefined ? [] : [{ line, ...issue }]));
  if (ofRows.length > 0) {
    lines.push(
      textTable(
        ['LINE', 'CODE', 'WHAT AND WHAT TO DO'],
        ofRows.map((issue) => [issue.line, issue.code, issueText(issue)]),
        columns,
      ),
      '',
    );
  }
  for (const { line, request } of records) {
    lines.push(`line ${line}: ${request.method} ${request.path} ${JSON.stringify(request.body)}`);
  }
  return `${lines.join('\n').trimEnd()}\n`;
}
