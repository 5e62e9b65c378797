import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Called, type CallPlan, carryOut, plan } from '../actions/call.js';
import type { OperatorError } from '../domain/operator-error.js';
import { deniedText, isDenied } from '../domain/process/who-may.js';
import type { Answer, Call } from './command.js';
import type { work } from './facts/work.js';
import { type Io, inputOf } from './io.js';
import { wrongUse } from './wrong-use.js';

/** Carries `registrar call` out. */
export async function answer({
  inputs: [method = '', path = ''],
  options,
  io,
  interrupt,
  who,
  workspace,
  open,
}: Call<typeof work.call>): Promise<Answer> {
  const { scope, environment } = options;
  const body = options.body === undefined ? null : bodyFrom(options.body, io);
  const planned = plan(workspace(), { method, path, body, scope, environment });
  const called = await carryOut(await open(), planned, who, interrupt.signal);
  return { document: () => documentOf(planned, called), text: () => textOf(called), exit: called.exit };
}

function documentOf({ environment, scope }: CallPlan, { answer, reason, remedy }: Called) {
  const response = answer?.response ?? null;
  return {
    environment,
    scope,
    outcome: answer?.outcome.kind ?? null,
    reason,
    remedy,
    status: response?.status ?? null,
    headers: response?.headers ?? {},
    body: response?.body ?? null,
    bodyState: response?.bodyState ?? null,
    durationMs: answer === null ? null : Math.round(answer.durationMs),
  };
}

function textOf({ answer, reason, remedy }: Called): string {
  const response = answer?.response ?? null;
  if (response === null) return `No answer: ${reason}.${remedy === null ? '' : ` ${remedy}`}\n`;
  const headers = Object.entries(response.headers).map(([header, value]) => `${header}: ${value}`);
  return `${[`HTTP ${response.status}`, ...headers].join('\n')}\n\n${response.body ?? ''}\n`;
}

function bodyFrom(file: string, io: Io): unknown {
  let text: string;
  try {
    text = file === '-' ? inputOf(io) : readFileSync(resolve(io.cwd, file), 'utf8');
  } catch (cause) {
    throw unreadableBody(file, cause);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw wrongUse(
      '--body',
      `--body "${file}" is not JSON`,
      'Write it as in this example: registrar call POST /api/v2/groups --body group.json',
      cause,
    );
  }
}

function unreadableBody(file: string, cause: unknown): OperatorError {
  const { code, message } = cause as NodeJS.ErrnoException;
  const [why, hint] =
    code === 'ENOENT'
      ? ['there is no such file', 'Check the path, which starts at the current folder.']
      : code === 'EISDIR'
        ? ['it is a folder', 'Name a file in it.']
        : isDenied(cause)
          ? [deniedText(file), 'Give this user the right to read it.']
          : [message, 'Check the path.'];
  return wrongUse(
    '--body',
    `--body "${file}" can't be read: ${why}`,
    `${hint} --body - reads standard input.`,
    cause,
  );
}
