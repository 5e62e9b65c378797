import { findPart, removePart } from '../../inbox/upload-part.js';
import { operationNamed } from '../../operations/registry.js';
import type { ActionContext } from '../context.js';
import { checkedContent, type UploadId } from '../uploads.js';
import type { SampleAnswers } from './read-sample.js';
import { planText } from './settings.js';
import type { SetupAnswers } from './setup-answers.js';
import { plan as planSource } from './source.js';

/** A source that a sample in its future inbox shows, and what a person says about it. */
export interface NewSourceRequest extends UploadId {
  readonly operation: string;
  readonly environment: string | undefined;
  readonly answers: SampleAnswers & Pick<SetupAnswers, 'timeZone'>;
}

/** Works out a source from the sample that was sent for it; writes nothing. Null: there is no such sample. Personal: its values. */
export async function planNewSource(
  context: ActionContext,
  { source, id, operation, environment, answers }: NewSourceRequest,
) {
  const { paths } = context;
  const part = await findPart(paths.inbox({ name: source }), id);
  if (part === null) return null;
  const env = context.env ?? process.env;
  const planned = await planSource(context, {
    ...{ name: source, sample: part.path, fileName: part.name, operation, environment, env, answers },
  });
  const { sample, doubts, guesses, before, yaml, check } = planned;
  const fields = operationNamed(operation).fields.map(({ name, required }) => ({ name, required }));
  const change = planText(context, before, yaml);
  const chosen = environment ?? Object.keys(context.config.environments)[0] ?? '';
  return { sample, doubts, guesses, fields, environment: chosen, change, check: checkedContent(check) };
}

/** Removes the sample of a source that is not added after all. @returns false where it was gone already. */
export function discardSample({ paths }: Pick<ActionContext, 'paths'>, { source, id }: UploadId) {
  return removePart(paths.inbox({ name: source }), id);
}
