import { sourceNamed } from '../actions/context.js';
import type { RunRequest } from '../actions/run/request.js';
import { status as readStatus } from '../actions/status.js';
import type { PlannedSource, RunPlan } from '../documents/run.js';
import { countOf } from '../domain/text/count-of.js';
import { inWords } from '../domain/text/duration-words.js';
import { visibleStrings } from '../domain/text/visible-text.js';
import type { FailedPing } from '../monitor/ping.js';
import { estimateWords } from '../report/status/delivery-estimate.js';
import { renderStatus } from '../report/status/render-status.js';
import type { Status } from '../report/status/status.js';
import { unmatchedText } from '../report/words/file-words.js';
import type { Answer, Call } from './command.js';
import type { work } from './facts.js';
import { type Io, workspaceToName } from './io.js';
import { hasChanged, saveLastShown } from './last-shown.js';
import { failedPingText, pingEnd } from './ping-log.js';
import { answerOfRun, runWithProgress } from './show-run.js';

export async function answer(call: Call<typeof work.run>): Promise<Answer> {
  const request = requestOf(call);
  if (call.options.dryRun) return planAnswer(call, request);
  return call.options.changed ? newsAnswer(call, request) : runAnswer(call, request);
}

async function newsAnswer(call: Call<typeof work.run>, request: RunRequest): Promise<Answer> {
  const troubles = call.workspace().warnings.map((warning) => `warning: ${warning}\n`);
  const io = {
    ...call.io,
    isTerminal: false,
    err: (text: string) => void troubles.push(text),
    log: () => {},
  };
  const ran = await runAnswer({ ...call, io, options: { ...call.options, quiet: true } }, request);
  const isUnbalanced = ran.exit === 'unbalanced';
  const context = await call.open();
  const { root } = context.paths;
  const status = await readStatus(context, { workspace: workspaceToName(io, root) });
  const facts = [...troubles, ...(isUnbalanced ? ['unbalanced'] : []), ...newsOf(status)];
  const isToShow = hasChanged(root, facts);
  // The status doesn't say why the books don't balance. The report does; it has its run's number, so it isn't compared.
  const report = isUnbalanced ? ran.text(null) : '';
  return {
    document: ran.document,
    text: () => '',
    ...(ran.exit === undefined ? {} : { exit: ran.exit }),
    ...(isToShow ? { notes: [...troubles, report, renderStatus(status)].join('') } : {}),
    // Once it is shown: rather twice than never.
    afterwards: async () => (isToShow ? saveLastShown(root, facts) : undefined),
  };
}

/** Who listens for a job that cron starts hears of its failures to open the workspace too. */
async function runAnswer(call: Call<typeof work.run>, request: RunRequest): Promise<Answer> {
  const { config, clock } = call.workspace();
  const { pings } = config.monitor;
  const work = async () => {
    const context = await call.open();
    return answerOfRun(call, context, await runWithProgress(call, context, request));
  };
  if (pings.length === 0) return work();
  const { withPings } = await import('../monitor/ping.js');
  const onFailure = (failed: FailedPing) => call.io.err(`warning: ${failedPingText(failed)}\n`);
  return withPings(pings, 'run', { clock, onFailure }, work, ({ exit }) => pingEnd(exit));
}

function requestOf({ io, options, workspace }: Call<typeof work.run>): RunRequest {
  const sourceNames = (names: readonly string[] = []) =>
    names.map((name) => sourceNamed(workspace(options.dryRun ? 'unused' : undefined).config, name).name);
  return {
    trigger: isByHand(io) ? 'manual' : 'cron',
    sources: sourceNames(options.source),
    confirmed: sourceNames(options.confirm),
    intake: true,
    push: options.push !== false,
    maxDurationMs: options.maxDuration ?? null,
  };
}

/** Cron and systemd give no terminal and no TERM, which a shell has for whatever it starts, behind pipes too. */
function isByHand({ isTerminal, screen, env }: Io): boolean {
  return isTerminal || screen !== undefined || (env.TERM ?? '') !== '';
}

async function planAnswer({ workspace, openReadOnly }: Call<typeof work.run>, request: RunRequest) {
  // A dry run uses no platform, so it needs no credentials.
  const context = (await openReadOnly('unused')) ?? { ...workspace('unused'), ledger: null };
  const { plan } = await import('../actions/run/plan.js');
  const planned = await plan(context, request);
  return { document: () => ({ dryRun: true, ...planned }), text: () => runPlanText(planned) };
}

const MAX_NAMED = 20;

function runPlanText(plan: RunPlan): string {
  const { sources, unmatched, environments } = visibleStrings(plan);
  const unmatchedFiles = unmatchedText(unmatched);
  return [
    ...sources.flatMap(sourceLines),
    ...(unmatchedFiles === '' ? [] : [unmatchedFiles]),
    ...environments.map((estimate) =>
      estimate.rows === 0 ? `${estimate.environment}: no rows waiting so far` : estimateWords(estimate),
    ),
    'Nothing was written, and nothing was sent.',
    '',
  ].join('\n');
}

function sourceLines({ source, files, remote, claimed, obstacle }: PlannedSource): string[] {
  const more = Math.max(0, files.length - MAX_NAMED) + Math.max(0, remote.length - MAX_NAMED);
  const nothing = files.length + remote.length === 0 && claimed === 0 && obstacle === null;
  return [
    nothing ? `${source}: no file to import` : `${source}: ${countOf(files.length, 'file')} in the inbox`,
    ...(obstacle === null ? [] : [`  would not be imported: ${obstacle.message}. ${obstacle.hint}`]),
    ...(claimed === 0 ? [] : [`  ${countOf(claimed, 'file')} that an earlier run began to import`]),
    ...files.slice(0, MAX_NAMED).map(({ file, bytes, restsForMs }) => {
      const size = countOf(bytes, 'byte');
      return `  ${file}: ${size}${restsForMs === 0 ? '' : `; must stay unchanged for ${inWords(restsForMs)} more`}`;
    }),
    ...remote.slice(0, MAX_NAMED).map(({ file, bytes }) => {
      const size = bytes === null ? '' : `: ${countOf(bytes, 'byte')}`;
      return `  ${file}${size}; is on the server, and would be fetched`;
    }),
    ...(more > 0 ? [`  … and ${more} more; --json lists all`] : []),
  ];
}

/**
 * What of a status a person must know, as texts to compare: two statuses with the same texts need no second mail. [] where
 * nothing needs attention. Times, estimates and counts of runs, which go on by themselves, aren't in it.
 */
function newsOf(status: Status): readonly string[] {
  return [
    ...status.attention.map(({ code, cause, state, count }) => [code, cause, state, count]),
    ...status.outages.map(({ environment, operation, code, since }) => [environment, operation, code, since]),
    ...status.stranded.map(({ environment }) => ['stranded', environment]),
    ...status.environments.map(({ environment, deliverBy }) =>
      (deliverBy?.lateByMs ?? 0) > 0 ? ['late', environment] : [],
    ),
    ...status.unknownLearners.map(({ environment, learners }) => ['unknown', environment, learners]),
    ...status.decisions.map(({ decision }) => ['decision', decision]),
    ...status.refusedFiles.map(({ drop }) => ['file', drop]),
    ...status.unmatched.map(({ path, reason }) => ['unmatched', path, reason]),
    ...status.alerts.failing.map(({ channel }) => ['channel', channel]),
  ]
    .filter((facts) => facts.length > 0)
    .map((facts) => JSON.stringify(facts))
    .sort();
}
