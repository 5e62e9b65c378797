import { join } from 'node:path';
import { CONFIG_FILE } from '../../config/load-config.js';
import { nameSchema } from '../../config/schema/value-schemas.js';
import { machineTimeZone } from '../../config/values/time-zone.js';
import { editYaml } from '../../config/yaml/edit-yaml.js';
import { guessesIn, listOf, yamlText } from '../../config/yaml/yaml-writer.js';
import { OperatorError } from '../../domain/operator-error.js';
import { operationNamed } from '../../operations/registry.js';
import { openWorkspace as makeFolders } from '../../workspace/folders.js';
import { environmentNamed, type Surroundings, type Workspace } from '../context.js';
import { checkSample, readSample, type SampleAnswers } from './read-sample.js';
import { renderSource } from './render-config.js';
import { configText, replaceConfig } from './settings.js';
import type { SetupAnswers } from './setup-answers.js';

export interface SourceRequest {
  readonly name: string;
  /** A real export; absolute. */
  readonly sample: string;
  readonly operation: string;
  /** undefined: the only environment there is. */
  readonly environment: string | undefined;
  readonly env: Surroundings['env'];
  /** What a person says about the sample; absent: nothing yet. */
  readonly answers?: SampleAnswers & Pick<SetupAnswers, 'timeZone'>;
  /** What the sample is called; absent: as its file is. */
  readonly fileName?: string;
}

/**
 * A new source that could be added to the workspace's registrar.yaml: the path of that (`config`), its text (`before`), its new text
 * (`yaml`), the lines in it that are new, and what of them a person must confirm (`guesses`); what the sample shows and leaves open, and
 * what `check` says about it.
 */
export type SourcePlan = Awaited<ReturnType<typeof plan>>;

/** Works out a source from a sample of its files; writes nothing. Throws OperatorError where the source can't be added. */
export async function plan(workspace: Pick<Workspace, 'config' | 'paths'>, request: SourceRequest) {
  const { root } = workspace.paths;
  const { name, answers } = request;
  const environment = environmentFor(workspace, request.environment);
  refuseName(name, workspace);
  const operation = operationNamed(request.operation);
  const { findings: sample, doubts } = await readSample(request.sample, operation, answers, request.fileName);
  const entry = renderSource({
    ...{ sourceName: name, environment, timeZone: machineTimeZone(), sample },
    ...(answers === undefined ? {} : { answers }),
  });
  const config = join(root, CONFIG_FILE);
  const before = configText(workspace);
  const yaml = editYaml(before, [{ path: ['sources', workspace.config.sources.length], value: entry }]);
  const lines = yamlText(listOf([entry]))
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`);
  if (yaml === null) throw notInLines(config, lines);
  const check = await checkSample(request.sample, yaml, root, name, request.env);
  const guesses = guessesIn(lines.join('\n'));
  return { name, environment, root, config, before, yaml, lines, guesses, sample, doubts, check };
}

/** Writes the source into registrar.yaml, and makes its inbox. Throws OperatorError where the file was changed meanwhile. */
export async function carryOut({ name, root, config, before, yaml }: SourcePlan): Promise<void> {
  await makeFolders(root, { sources: [{ name }] });
  await replaceConfig(config, before, yaml);
}

function environmentFor({ config }: Pick<Workspace, 'config'>, wanted: string | undefined): string {
  const names = Object.keys(config.environments);
  if (wanted !== undefined) return environmentNamed(config, wanted);
  const [only, another] = names;
  if (only !== undefined && another === undefined) return only;
  throw new OperatorError({
    operation: 'choose an environment',
    subject: CONFIG_FILE,
    message: `${CONFIG_FILE} has several environments, and none is named`,
    hint: `Name one with --environment: ${names.join(', ')}.`,
  });
}

/**
 * Throws OperatorError for an invalid name, and for a name that another source has, case ignored: two such sources would
 * share a folder on some disks.
 */
export function refuseName(name: string, { config }: Pick<Workspace, 'config'>): void {
  const existing = config.sources.find((source) => source.name.toLowerCase() === name.toLowerCase());
  const parsed = nameSchema.safeParse(name);
  if (!existing && parsed.success) return;
  throw new OperatorError({
    operation: 'add a source',
    subject: name,
    message: existing
      ? `${CONFIG_FILE} has a source "${existing.name}" already`
      : `"${name}" ${parsed.error?.issues[0]?.message}`,
    hint: existing ? 'It is unchanged. Choose another name, or edit the source.' : 'Choose another name.',
  });
}

function notInLines(path: string, lines: readonly string[]): OperatorError {
  return new OperatorError({
    operation: 'add a source',
    subject: path,
    message: `${path} has no list of sources that can be changed here`,
    hint: `Write this into its sources by hand:\n${lines.join('\n')}`,
  });
}
