import { existsSync } from 'node:fs';
import { basename, extname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { configJsonSchema } from '../config/json-schema.js';
import { CONFIG_FILE } from '../config/load-config.js';
import { OperatorError } from '../domain/operator-error.js';
import { openDrop } from '../intake/open-drop.js';
import type { InferredMapping } from '../normalise/infer-mapping.js';
import { inferSample, mappedCount } from '../normalise/infer-sample.js';
import { submitCompletion } from '../operations/submit-completion.js';
import { clip } from '../report/clip.js';
import { maskAddresses, maskText } from '../report/mask.js';
import { shellWord } from '../report/shell-word.js';
import { sampleRows } from '../staging/plan-drop.js';
import { writeFileAtomic } from '../workspace/atomic-write.js';
import { openWorkspace } from '../workspace/folders.js';
import { type CommonOptions, type Io, print } from './io.js';
import { settingLines } from './preset-words.js';
import type { Finish, Interrupt } from './program.js';
import { renderConfig, type SampleFindings } from './render-config.js';

interface InitOptions extends CommonOptions {
  readonly sample?: string;
}

/** `registrar init`: a commented registrar.yaml and the folders. */
export function addInit(program: Command, io: Io, _interrupt: Interrupt, _finish: Finish): void {
  program
    .command('init [dir]')
    .description('write a commented registrar.yaml and the folders; infer the mapping from a sample')
    .option('--sample <file>', 'a real export, whose columns are mapped and commented')
    .action(async (dir: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<InitOptions>();
      const folder = resolve(io.cwd, dir ?? options.workspace ?? '.');
      const path = join(folder, CONFIG_FILE);
      if (existsSync(path)) throw alreadyThere(path);
      const sample = options.sample === undefined ? undefined : await readSample(options.sample);
      const sourceName = sample === undefined ? 'academy' : nameFor(sample.fileName);
      await openWorkspace(folder, { sources: [{ name: sourceName }] });
      await writeFileAtomic(
        join(folder, 'registrar.schema.json'),
        `${JSON.stringify(configJsonSchema(), null, 2)}\n`,
      );
      const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      await writeFileAtomic(path, renderConfig({ sourceName, timeZone, ...(sample ? { sample } : {}) }));
      print(
        io,
        options,
        () => ({ config: path, source: sourceName, timeZone, sample: sample ?? null }),
        () => text(folder, sourceName, timeZone, sample),
      );
    });
}

async function readSample(file: string): Promise<SampleFindings> {
  const opened = await openDrop(file, {});
  const sheets = opened.workbook?.sheets.filter(({ state }) => state === 'visible') ?? [];
  let best: InferredMapping | null = null;
  for (const sheet of sheets.length === 0 ? [undefined] : sheets.map(({ name }) => name)) {
    const inferred = inferSample(await sampleRows(opened, sheet, 1_000), submitCompletion);
    if (inferred && (best === null || mappedCount(inferred) > mappedCount(best))) best = inferred;
  }
  if (!best) {
    throw new OperatorError({
      operation: 'read the sample',
      subject: file,
      message: `${basename(file)} has no line that looks like a header`,
      hint: 'Look at it with `registrar inspect`, or run init without --sample and write columns: by hand.',
      exit: 'attention',
    });
  }
  return findings(basename(file), best);
}

function findings(fileName: string, mapping: InferredMapping): SampleFindings {
  const dated = mapping.columns.find(({ dateOrder }) => dateOrder !== null);
  const given = new Set(mapping.defaults.map(({ field }) => field));
  return {
    fileName,
    preset: presetFindings(mapping),
    missing: mapping.columns.flatMap(({ field, required, header, reason }) =>
      required && header === null && !given.has(field) ? [{ field, reason }] : [],
    ),
    columns: mapping.columns.flatMap(({ field, header, reason, example }) =>
      header === null ? [] : [{ field, header, reason: `${reason}${suchAs(field, example)}` }],
    ),
    defaults: mapping.defaults.map(({ field, value, reason, confirm }) => ({
      field,
      value,
      reason: confirm ? `confirm: ${reason}` : reason,
    })),
    ...(dated?.dateOrder
      ? { dateOrder: { value: dated.dateOrder, reason: `${dated.header} proves it` } }
      : {}),
    unmapped: mapping.unmapped,
  };
}

/** What helps to recognise a column. The file is passed on: learners are masked, and addresses wherever they stand. */
function suchAs(name: string, example: string | null): string {
  if (example === null) return '';
  const isLearner = submitCompletion.fields.some(({ name: own, kind }) => own === name && kind === 'learner');
  const value = clip(example, LONGEST_EXAMPLE);
  return ` such as ${isLearner ? maskText(value) : maskAddresses(value)}`;
}

/** Room for a time with its zone, or the beginning of a title. */
const LONGEST_EXAMPLE = 40;

function presetFindings({ preset }: InferredMapping): SampleFindings['preset'] {
  if (!preset) return null;
  const { name, title, has, settings } = preset;
  return { name, title, has, settings: settingLines(settings), timeZone: settings.timeZone ?? null };
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

function text(folder: string, source: string, timeZone: string, sample: SampleFindings | undefined): string {
  const workspace = `--workspace ${shellWord(folder)}`;
  const steps = [
    ...missingSteps(sample),
    `put the addresses of your platform into ${CONFIG_FILE}, and confirm the time zone (${timeZone})`,
    `try a file without sending anything: registrar check FILE --source ${source} ${workspace}`,
    'set REGISTRAR_CLIENT_ID and REGISTRAR_CLIENT_SECRET in the environment',
    `put files into ${join(folder, 'inbox', source)} and: registrar run ${workspace}`,
  ];
  const lines = [
    `Wrote ${join(folder, CONFIG_FILE)}.`,
    ...(sample?.columns ?? []).map(({ field, header }) => `  ${field}: ${header}`),
    '',
    'Now:',
    ...steps.map((step, index) => `  ${index + 1}. ${step}`),
    '',
  ];
  return lines.join('\n');
}

/** What the sample has shown to be missing, with the columns that may be meant. */
function missingSteps(sample: SampleFindings | undefined): string[] {
  if (sample === undefined || sample.missing.length === 0) return [];
  const fields = sample.missing.map(({ field }) => field).join(', ');
  const unused = sample.unmapped.map(({ header }) => JSON.stringify(header)).join(', ');
  const left = unused === '' ? 'the sample has no other columns' : `not used are ${unused}`;
  return [
    `say under columns: or defaults: of ${CONFIG_FILE} where ${fields} ${sample.missing.length === 1 ? 'comes' : 'come'} from, without which no row is delivered: ${left}`,
  ];
}
