import { existsSync } from 'node:fs';
import { basename, extname, join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { readSample } from '../actions/setup/read-sample.js';
import { renderConfig, type SampleFindings } from '../actions/setup/render-config.js';
import { configJsonSchema } from '../config/json-schema.js';
import { CONFIG_FILE } from '../config/load-config.js';
import { systemClock } from '../domain/clock.js';
import { agreeing } from '../domain/count-of.js';
import { OperatorError } from '../domain/operator-error.js';
import { visibleText } from '../domain/visible-text.js';
import { submitCompletion } from '../operations/submit-completion.js';
import { shellWord } from '../report/shell-word.js';
import { makeNewLedger } from '../upkeep/new-ledger.js';
import { writeFileAtomic } from '../workspace/atomic-write.js';
import { findWorkspace } from '../workspace/find-workspace.js';
import { openWorkspace, workspacePaths } from '../workspace/folders.js';
import type { CheckedFile } from './check-file.js';
import { checkSample, verdictDocument, verdictText } from './check-sample.js';
import type { Finish, Interrupt } from './command.js';
import { type CommonOptions, type Io, print, widthOf } from './io.js';
import { whoDecides } from './who-decides.js';

interface InitOptions extends CommonOptions {
  readonly sample?: string;
  readonly newLedger?: boolean;
}

/** `registrar init`: a commented registrar.yaml and the folders. */
export function addInit(program: Command, io: Io, _interrupt: Interrupt, _finish: Finish): void {
  program
    .command('init [dir]')
    .description('write a commented registrar.yaml and the folders; infer the mapping from a sample')
    .option('--sample <file>', 'a real export, whose columns are mapped and commented')
    .option(
      '--new-ledger',
      'in a workspace whose ledger is gone for good: an empty one, with what was delivered unknown',
    )
    .action(async (dir: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<InitOptions>();
      const folder = resolve(io.cwd, dir ?? options.workspace ?? '.');
      if (options.newLedger) {
        await newLedger(io, options, folder);
        return;
      }
      const path = join(folder, CONFIG_FILE);
      if (existsSync(path)) throw alreadyThere(path);
      const samplePath = options.sample === undefined ? null : resolve(io.cwd, options.sample);
      const sample = samplePath === null ? undefined : await readSample(samplePath, submitCompletion);
      const sourceName = sample === undefined ? 'academy' : nameFor(sample.fileName);
      await openWorkspace(folder, { sources: [{ name: sourceName }] });
      await writeFileAtomic(
        join(folder, 'registrar.schema.json'),
        `${JSON.stringify(configJsonSchema(), null, 2)}\n`,
      );
      const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      const yaml = renderConfig({ sourceName, timeZone, ...(sample ? { sample } : {}) });
      await writeFileAtomic(path, yaml);
      const checked =
        samplePath === null ? null : await checkSample(samplePath, yaml, folder, sourceName, io);
      const zone = sample?.preset?.timeZone ?? sample?.timeZone?.value ?? timeZone;
      print(
        io,
        options,
        () => ({
          config: path,
          source: sourceName,
          timeZone: zone,
          sample: sample ?? null,
          check: checked && verdictDocument(checked),
        }),
        () =>
          text({
            folder,
            source: sourceName,
            timeZone: zone,
            sample,
            file: options.sample ?? '',
            checked,
            columns: widthOf(io),
          }),
      );
    });
}

/** An empty ledger for a workspace that has lost its own. */
async function newLedger(io: Io, options: InitOptions, folder: string): Promise<void> {
  if (options.sample !== undefined) {
    throw new OperatorError({
      operation: 'read the options',
      subject: '--new-ledger',
      message: '--new-ledger makes a ledger in a workspace that is there, and --sample a workspace',
      hint: 'Leave one of the two out.',
    });
  }
  const paths = workspacePaths(findWorkspace(folder, io.env, io.cwd));
  const aside = await makeNewLedger(paths, systemClock(), whoDecides(io));
  const named = aside === null ? null : relative(paths.root, aside);
  print(
    io,
    options,
    () => ({ ledger: paths.ledger, aside: named, holdsNewRows: true }),
    () =>
      [
        `Made ${paths.ledger}, which is empty.`,
        ...(named === null ? [] : [`What was there is ${named}.`]),
        'What was delivered before nobody knows: rows that were completed before now are held when they come in, until registrar restore --settle --because TEXT.',
        '',
      ].join('\n'),
  );
}

/** A source's name from a file's: what isn't allowed in it becomes a dash. */
function nameFor(fileName: string): string {
  const stem = basename(fileName, extname(fileName)).toLowerCase();
  const name = stem
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|-+$/g, '')
    .slice(0, 40);
  return name === '' ? 'academy' : name;
}

function alreadyThere(path: string): OperatorError {
  return new OperatorError({
    operation: 'make a workspace',
    subject: path,
    message: `${path} is there already`,
    hint: 'It is left as it is. Name another folder, or move it away first.',
  });
}

function text(made: {
  readonly folder: string;
  readonly source: string;
  readonly timeZone: string;
  readonly sample: SampleFindings | undefined;
  readonly file: string;
  readonly checked: CheckedFile | null;
  readonly columns: number | null;
}): string {
  const { folder, source, sample, checked } = made;
  const workspace = `--workspace ${shellWord(folder)}`;
  const check = `registrar check ${sample ? shellWord(made.file) : 'FILE'} --source ${source} ${workspace}`;
  const steps = [
    ...missingSteps(sample, check),
    `put the addresses of your platform into ${CONFIG_FILE}, and confirm the time zone (${made.timeZone})`,
    `try a file without sending anything: ${check}`,
    'set REGISTRAR_CLIENT_ID and REGISTRAR_CLIENT_SECRET in the environment',
    `put files into ${join(folder, 'inbox', source)} and: registrar run ${workspace}`,
  ];
  const lines = [
    `Wrote ${join(folder, CONFIG_FILE)}.`,
    ...(sample?.columns ?? []).map(({ field, header }) => `  ${field}: ${visibleText(header)}`),
    '',
    'Now:',
    ...steps.map((step, index) => `  ${index + 1}. ${step}`),
    '',
    ...(checked && sample ? [verdictText(sample.fileName, checked, made.columns)] : []),
  ];
  return lines.join('\n');
}

/** What the sample has shown to be missing; what to write stands in what check says of it. */
function missingSteps(sample: SampleFindings | undefined, check: string): string[] {
  if (sample === undefined || sample.missing.length === 0) return [];
  const fields = sample.missing.map(({ field }) => field).join(', ');
  const has = agreeing(sample.missing.length, 'has', 'have');
  return [
    `${fields} ${has} no column: write into ${CONFIG_FILE} what is said below, without which no row is delivered; then ${check}`,
  ];
}
