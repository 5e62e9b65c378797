import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import { readSample } from '../actions/setup/read-sample.js';
import { renderSource, type SampleFindings } from '../actions/setup/render-config.js';
import { insertSource } from '../config/insert-source.js';
import { CONFIG_FILE } from '../config/load-config.js';
import { nameSchema } from '../config/schema.js';
import { agreeing } from '../domain/count-of.js';
import { OperatorError } from '../domain/operator-error.js';
import { visibleText } from '../domain/visible-text.js';
import { OPERATIONS, operationNamed } from '../operations/registry.js';
import { shellWord } from '../report/shell-word.js';
import { writeFileAtomic } from '../workspace/atomic-write.js';
import { openWorkspace } from '../workspace/folders.js';
import type { CheckedFile } from './check-file.js';
import { checkSample, verdictDocument, verdictText } from './check-sample.js';
import type { Finish, Interrupt } from './command.js';
import { type CommonOptions, type Io, print, widthOf } from './io.js';
import { readWorkspace, type Workspace } from './session.js';

interface SourceOptions extends CommonOptions {
  readonly sample: string;
  readonly operation: string;
  readonly environment?: string;
  readonly dryRun?: boolean;
}

/** `registrar source add`: one more source, written from a sample into the registrar.yaml there is. */
export function addSource(program: Command, io: Io, _interrupt: Interrupt, _finish: Finish): void {
  program
    .command('source')
    .addArgument(new Argument('<action>', 'what to do').choices(['add']))
    .argument('<name>', 'the name of the new source, also of its folder in inbox/')
    .description('add a source to registrar.yaml, as a sample of its files shows, and make its inbox')
    .requiredOption('--sample <file>', 'a real export, whose columns are mapped and commented')
    .addOption(
      new Option('--operation <name>', 'what its records ask the platform to do')
        .choices(OPERATIONS.map(({ name }) => name))
        .default('submit-completion'),
    )
    .option('--environment <name>', 'where its records go; else the only environment there is')
    .option('--dry-run', 'only show what would be written')
    .action(async (_action: string, name: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<SourceOptions>();
      const workspace = readWorkspace(io, options, 'unused');
      const { root } = workspace.paths;
      const environment = environmentFor(workspace, options.environment);
      refuseName(name, workspace);
      const samplePath = resolve(io.cwd, options.sample);
      const sample = await readSample(samplePath, operationNamed(options.operation));
      const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      const lines = renderSource({ sourceName: name, environment, timeZone, sample });
      const path = join(root, CONFIG_FILE);
      const yaml = insertSource(readFileSync(path, 'utf8'), lines);
      if (yaml === null) throw notInLines(path, lines);
      const checked = await checkSample(samplePath, yaml, root, name, io);
      if (!options.dryRun) {
        await openWorkspace(root, { sources: [{ name }] });
        await writeFileAtomic(path, yaml);
      }
      print(
        io,
        options,
        () => ({
          config: path,
          source: name,
          operation: options.operation,
          environment,
          dryRun: options.dryRun === true,
          lines,
          sample,
          check: verdictDocument(checked),
        }),
        () => text(options, { name, path, root, lines, sample, checked, columns: widthOf(io) }),
      );
    });
}

function environmentFor({ config }: Workspace, asked: string | undefined): string {
  const names = Object.keys(config.environments);
  const [only, another] = names;
  const chosen = asked ?? (another === undefined ? only : undefined);
  if (chosen !== undefined && names.includes(chosen)) return chosen;
  throw new OperatorError({
    operation: 'choose an environment',
    subject: asked ?? CONFIG_FILE,
    message:
      asked === undefined
        ? `${CONFIG_FILE} has several environments`
        : `${CONFIG_FILE} has no environment "${asked}"`,
    hint: `Name one with --environment: ${names.join(', ')}.`,
  });
}

/** Names that differ in case alone would share a folder on some disks. */
function refuseName(name: string, { config }: Workspace): void {
  const known = config.sources.find((source) => source.name.toLowerCase() === name.toLowerCase());
  const parsed = nameSchema.safeParse(name);
  if (!known && parsed.success) return;
  throw new OperatorError({
    operation: 'add a source',
    subject: name,
    message: known
      ? `${CONFIG_FILE} has a source "${known.name}" already`
      : `"${name}" ${parsed.error?.issues[0]?.message}`,
    hint: known ? 'It is left as it is. Choose another name, or edit the source.' : 'Choose another name.',
  });
}

function notInLines(path: string, lines: readonly string[]): OperatorError {
  return new OperatorError({
    operation: 'add a source',
    subject: path,
    message: `${path} has no list of sources that is written line by line`,
    hint: `Write this into its sources by hand:\n${lines.join('\n')}`,
  });
}

function text(
  { dryRun, sample: file }: SourceOptions,
  added: {
    readonly name: string;
    readonly path: string;
    readonly root: string;
    readonly lines: readonly string[];
    readonly sample: SampleFindings;
    readonly checked: CheckedFile;
    readonly columns: number | null;
  },
): string {
  const { name, path, root, lines, sample, checked, columns } = added;
  const verdict = verdictText(sample.fileName, checked, columns);
  if (dryRun) return [`Would add to ${path}:`, ...lines, '', verdict].join('\n');
  const missing = sample.missing.map(({ field }) => field);
  const next = `registrar check ${shellWord(file)} --source ${name} --workspace ${shellWord(root)}`;
  return [
    `Added source ${name} to ${path}, and made ${join(root, 'inbox', name)}.`,
    ...sample.columns.map(({ field, header }) => `  ${field}: ${visibleText(header)}`),
    '',
    ...(missing.length === 0
      ? []
      : [
          `${missing.join(', ')} ${agreeing(missing.length, 'has', 'have')} no column: write what is said below; then ${next}`,
        ]),
    verdict,
  ].join('\n');
}
