import { join } from 'node:path';
import { CONFIG_FILE } from '../../config/load-config.js';
import { nameSchema } from '../../config/schema/value-schemas.js';
import { editYaml } from '../../config/yaml/edit-yaml.js';
import { entryNode, guessesIn } from '../../config/yaml/yaml-writer.js';
import { errorsOf } from '../../domain/operator-error.js';
import { findPart, removePart } from '../../inbox/upload-part.js';
import { operationNamed } from '../../operations/registry.js';
import { openWorkspace as makeFolders } from '../../workspace/folders.js';
import { checkedContent } from '../check.js';
import { type ActionContext, environmentNamed, type ProcessContext, type Workspace } from '../context.js';
import { checkSample, readSample, type SampleAnswers } from './read-sample.js';
import { renderSource } from './render-config.js';
import { configText, planText, replaceConfig } from './settings.js';
import type { SetupAnswers } from './setup-answers.js';

interface SourceRequest {
  readonly name: string;
  readonly sample: string;
  readonly operation: string;
  /** undefined: the only environment there is. */
  readonly environment: string | undefined;
  readonly env: ProcessContext['env'];
  /** What a person says about the sample; absent: nothing yet. */
  readonly answers?: SampleAnswers & Pick<SetupAnswers, 'timeZone'>;
  /** What the sample is called; absent: as its file is. */
  readonly fileName?: string;
}

/**
 * A new source that could be added: the text of registrar.yaml now (`before`) and then (`yaml`), the lines in it that are new,
 * what of them a person must confirm (`guesses`), what the sample shows and leaves open, and what `check` says about it.
 */
export type SourcePlan = Awaited<ReturnType<typeof plan>>;

/** Works out a source from a sample of its files; writes nothing. Throws OperatorError where the source can't be added. */
export async function plan(workspace: Pick<Workspace, 'config' | 'paths'>, request: SourceRequest) {
  const { root } = workspace.paths;
  const { name, answers } = request;
  const environment = environmentFor(workspace, request.environment);
  refuseName(name, workspace);
  const operation = operationNamed(request.operation);
  const { sample: path, fileName } = request;
  const { findings: sample, questions } = await readSample(path, operation, answers, fileName);
  const lines = renderSource({ sourceName: name, environment, sample, answers });
  const config = join(root, CONFIG_FILE);
  const before = configText(workspace);
  const yaml = editYaml(before, [
    { path: ['sources', workspace.config.sources.length], value: entryNode(lines) },
  ]);
  if (yaml === null) {
    const message = `${config} has no list of sources that can be changed here`;
    throw errorsOf('add a source')(
      config,
      message,
      `Write this into its sources by hand:\n${lines.join('\n')}`,
    );
  }
  const check = await checkSample(request.sample, yaml, root, name, request.env);
  const guesses = guessesIn(lines.join('\n'));
  return { name, environment, root, config, before, yaml, lines, guesses, sample, questions, check };
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
  const message = `${CONFIG_FILE} has several environments, and none is named`;
  const hint = `Name one with --environment: ${names.join(', ')}.`;
  throw errorsOf('choose an environment')(CONFIG_FILE, message, hint);
}

/**
 * Throws OperatorError for an invalid name, and for a name that another source has, case ignored: two such sources would
 * share a folder on some disks.
 */
export function refuseName(name: string, { config }: Pick<Workspace, 'config'>): void {
  const existing = config.sources.find((source) => source.name.toLowerCase() === name.toLowerCase());
  const parsed = nameSchema.safeParse(name);
  if (!existing && parsed.success) return;
  const message = existing
    ? `${CONFIG_FILE} has a source "${existing.name}" already`
    : `"${name}" ${parsed.error?.issues[0]?.message}`;
  throw errorsOf('add a source')(name, message, 'Choose another name; nothing was changed.');
}

/** A source that a sample in its future inbox shows, and what a person says about it. */
export interface NewSourceRequest extends Pick<SourceRequest, 'operation' | 'environment'> {
  readonly source: string;
  readonly id: string;
  readonly answers: NonNullable<SourceRequest['answers']>;
}

/** Works out a source from the sample that was sent for it; writes nothing. Null: there is no such sample. Personal: its values. */
export async function planNewSource(context: ActionContext, { source, id, ...request }: NewSourceRequest) {
  const part = await findPart(context.paths.inbox({ name: source }), id);
  if (part === null) return null;
  const env = context.env ?? process.env;
  const planned = await plan(context, {
    ...request,
    ...{ name: source, sample: part.path, fileName: part.name, env },
  });
  const { sample, questions, guesses, environment, before, yaml, check } = planned;
  const fields = operationNamed(request.operation).fields.map(({ name, required }) => ({ name, required }));
  const change = planText(context, before, yaml);
  return { sample, questions, guesses, fields, environment, change, check: checkedContent(check) };
}

/** Removes the sample of a source that is not added after all. @returns false where it was gone already. */
export function discardSample(
  { paths }: Pick<ActionContext, 'paths'>,
  { source, id }: Pick<NewSourceRequest, 'source' | 'id'>,
) {
  return removePart(paths.inbox({ name: source }), id);
}
