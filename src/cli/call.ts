import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { EnvironmentConfig } from '../config/schema.js';
import { OperatorError } from '../domain/operator-error.js';
import { leadsTo } from '../domain/path-segment.js';
import { deniedText, isDenied } from '../domain/who-may.js';
import { thisProcess } from '../ledger/owner.js';
import { beginRun, endRun } from '../ledger/runs.js';
import type { PlatformRequest } from '../operations/operation.js';
import { faultReason, faultRemedy, placedFault } from '../platform/fault-words.js';
import type { CallResult } from '../push/call.js';
import { VERSION } from '../version.js';
import type { Finish, Interrupt } from './command.js';
import { type CommonOptions, type Io, print } from './io.js';
import { withSession } from './session.js';
import { whoDecides } from './who-decides.js';

interface CallOptions extends CommonOptions {
  readonly body?: string;
  readonly scope?: string;
  readonly environment?: string;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** `registrar call`: one request by hand, for people who script. */
export function addCall(program: Command, io: Io, interrupt: Interrupt, finish: Finish): void {
  program
    .command('call <method> <path>')
    .description('send one request through the same token, quota, redaction and audit, and print the answer')
    .option('--body <file>', 'JSON to send; - reads standard input')
    .option('--scope <scope>', 'scope of the token; else by the path: content or completions, read or write')
    .addOption(new Option('--environment <name>', 'the environment; needed where there are several'))
    .action(async (method: string, path: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<CallOptions>();
      const request = requestOf(method, path, options, io.cwd);
      const scope = options.scope ?? scopeOf(request);
      await withSession(io, options, async ({ config, ledger, clock }) => {
        const [name, environment] = environmentNamed(config.environments, options.environment);
        const { call } = await import('../push/call.js');
        const { ledgerGate } = await import('../push/ledger-gate.js');
        const { quotaRule } = await import('../push/quota-rule.js');
        const gate = ledgerGate(ledger, environment.clientId, quotaRule(environment), clock, name);
        const runId = beginRun(ledger, 'manual', thisProcess(), VERSION);
        const result = await call({
          ledger,
          runId,
          environment: name,
          config: environment,
          gate,
          request,
          scope,
          who: whoDecides(io).name,
          signal: interrupt.signal,
        });
        const { answer } = result;
        const response = answer?.response ?? null;
        const exit = exitOf(result);
        endRun(ledger, runId, exit);
        const { reason, remedy } = whyNot(name, environment, result);
        print(
          io,
          options,
          () => ({
            environment: name,
            scope,
            outcome: answer?.outcome.kind ?? null,
            reason,
            remedy,
            status: response?.status ?? null,
            headers: response?.headers ?? {},
            body: response?.body ?? null,
            bodyState: response?.bodyState ?? null,
            durationMs: answer === null ? null : Math.round(answer.durationMs),
          }),
          () =>
            response === null
              ? `No answer: ${reason}.${remedy === null ? '' : ` ${remedy}`}\n`
              : `${[`HTTP ${response.status}`, ...Object.entries(response.headers).map(([header, value]) => `${header}: ${value}`)].join('\n')}\n\n${response.body ?? ''}\n`,
        );
        if (exit !== 'done') finish(exit);
      });
    });
}

/**
 * A refusal is an answer, which the person who asked reads. Unavailable is what no such request could get past: no token,
 * no connection, a 401, a 429, a 5xx, or something that is not the platform.
 */
function exitOf({ answer }: CallResult): 'done' | 'attention' | 'unavailable' {
  if (answer?.outcome.kind === 'accepted') return 'done';
  const status = answer?.response?.status ?? 0;
  const isRefusal = status >= 400 && status < 500 && ![401, 407, 408, 425, 429].includes(status);
  return isRefusal ? 'attention' : 'unavailable';
}

/** Why there is no answer or no good one, and what to do about it; null where nothing is to be said. */
function whyNot(
  name: string,
  environment: EnvironmentConfig,
  { outcome, host, answer }: CallResult,
): { reason: string | null; remedy: string | null } {
  if (outcome === null) return { reason: 'given up before it was sent', remedy: null };
  if (outcome.kind === 'accepted') return { reason: null, remedy: null };
  if (outcome.kind === 'rejected' || outcome.kind === 'throttled' || outcome.fault === undefined) {
    return { reason: outcome.reason, remedy: null };
  }
  // Whoever asked for it sees whether it was the scope or the path: the answer is there.
  if (exitOf({ outcome, host, answer }) === 'attention') return { reason: outcome.reason, remedy: null };
  const placed = placedFault(environment, host, outcome.fault);
  return { reason: faultReason(placed), remedy: faultRemedy(name, placed) };
}

function requestOf(method: string, path: string, { body }: CallOptions, cwd: string): PlatformRequest {
  const known = METHODS.find((name) => name === method.toUpperCase());
  if (!known) throw wrong('METHOD', method, `is none of ${METHODS.join(', ')}`);
  if (!/^\/[^\s#]*$/.test(path)) throw wrong('PATH', path, 'must begin with / and stand below baseUrl');
  const escaped = path.replace(/[^!-~]+/g, encodeURIComponent);
  if (!leadsTo('http://localhost', escaped))
    throw wrong(
      'PATH',
      path,
      'leads to another path than it names: a part is empty, . or .., or not escaped',
    );
  return { method: known, path: escaped, body: body === undefined ? null : bodyFrom(body, cwd) };
}

function bodyFrom(file: string, cwd: string): unknown {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : resolve(cwd, file), 'utf8');
  } catch (cause) {
    throw unreadableBody(file, cause);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw wrong('--body', file, 'is not JSON', cause);
  }
}

function unreadableBody(file: string, cause: unknown): OperatorError {
  const { code } = cause as NodeJS.ErrnoException;
  const [why, hint] =
    code === 'ENOENT'
      ? ['there is no such file', 'Check the path, which starts at the current folder.']
      : code === 'EISDIR'
        ? ['it is a folder', 'Name a file in it.']
        : isDenied(cause)
          ? [deniedText(file), 'Give this user the right to read it.']
          : [String((cause as Error).message), 'Check the path.'];
  return new OperatorError({
    operation: 'read the body',
    subject: file,
    message: `--body "${file}" can't be read: ${why}`,
    hint: `${hint} --body - reads standard input.`,
    cause,
  });
}

function wrong(what: string, value: string, why: string, cause?: unknown): OperatorError {
  return new OperatorError({
    operation: 'read the options',
    subject: what,
    message: `${what} "${value}" ${why}`,
    hint: 'An example: registrar call GET /api/v2/groups',
    cause,
  });
}

/** The publicly known scopes: of completions or content, to read or to write. */
function scopeOf({ method, path }: PlatformRequest): string {
  const about = /^\/api\/v\d+\/completions\b/.test(path) ? 'completions' : 'content';
  return `${about}:${method === 'GET' ? 'read' : 'write'}`;
}

function environmentNamed(
  environments: Readonly<Record<string, EnvironmentConfig>>,
  name: string | undefined,
): [string, EnvironmentConfig] {
  const all = Object.entries(environments);
  const chosen = name === undefined && all.length === 1 ? all[0] : all.find(([known]) => known === name);
  if (chosen) return chosen;
  throw new OperatorError({
    operation: 'choose an environment',
    subject: name ?? '--environment',
    message:
      name === undefined
        ? 'registrar.yaml has several environments'
        : `registrar.yaml has no environment "${name}"`,
    hint: `Name one with --environment: ${all.map(([known]) => known).join(', ')}.`,
  });
}
