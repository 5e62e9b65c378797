import type { Command } from 'commander';
import { isoFromMs, msFromIso } from '../domain/clock.js';
import { causesIn } from '../ledger/attention.js';
import { countWaiting, waitingEnvironments } from '../ledger/claims.js';
import { dropsIn } from '../ledger/drop-list.js';
import { leaseHolder } from '../ledger/leases.js';
import { clientRef, quotaInUse } from '../ledger/quota.js';
import { lastRuns } from '../ledger/runs.js';
import { unknownByEnvironment } from '../ledger/unknown-learners.js';
import { causeWords } from '../report/cause-words.js';
import { estimatedMs, inWords } from '../report/estimate.js';
import { textTable } from '../report/text-table.js';
import { type CommonOptions, type Io, print } from './io.js';
import type { Finish, Interrupt } from './program.js';
import { type Session, withSession } from './session.js';

/** How many runs are shown. */
const RUNS = 5;

/** `registrar status`: what waits, what needs a person, quota in use, the last runs. */
export function addStatus(program: Command, io: Io, _interrupt: Interrupt, _finish: Finish): void {
  program
    .command('status')
    .description('what waits and until when, what needs a person, quota in use, the last runs')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      await withSession(io, options, async (session) => {
        const status = statusOf(session);
        print(
          io,
          options,
          () => status,
          () => text(status),
        );
      });
    });
}

type Status = ReturnType<typeof statusOf>;

function statusOf({ config, ledger, clock }: Session) {
  const stranded = waitingEnvironments(ledger)
    .filter((name) => !config.environments[name])
    .map((environment) => ({ environment, waiting: countWaiting(ledger, environment) }));
  const environments = Object.entries(config.environments).map(([name, environment]) => {
    const waiting = countWaiting(ledger, name);
    const client = clientRef(environment.clientId);
    return {
      environment: name,
      waiting,
      estimatedEnd: waiting === 0 ? null : isoFromMs(clock.nowMs() + estimatedMs(waiting, environment)),
      estimatedMs: estimatedMs(waiting, environment),
      quota: { allowed: environment.quota.requests, ...quotaInUse(ledger, client) },
      pushedBy: leaseHolder(ledger, `push:${name}`),
    };
  });
  const attention = causesIn(ledger, {}).map(({ code, about, state, count }) => ({
    code,
    state,
    count,
    ...causeWords(code, about, state),
    command: about === 'row' ? null : `registrar rerun --state ${state} --reason ${code}`,
  }));
  const setAside = dropsIn(ledger, {})
    .filter(({ state }) => state === 'refused')
    .map(({ source, file, refusal }) => ({ source, file, refusal }));
  const policyOf = (environment: string) =>
    config.environments[environment]?.recheck ?? { after: 0, times: 0 };
  const unknownLearners = unknownByEnvironment(ledger, (name) => policyOf(name).times).map(
    ({ environment, learners, rows, askedAt, spent }) => ({
      environment,
      learners,
      rows,
      nextRecheck: askedAt === null ? null : isoFromMs(msFromIso(askedAt) + policyOf(environment).after),
      spent,
    }),
  );
  return { environments, stranded, attention, unknownLearners, setAside, runs: lastRuns(ledger, RUNS) };
}

function text({ environments, stranded, attention, unknownLearners, setAside, runs }: Status): string {
  const sections = [
    textTable(
      ['ENVIRONMENT', 'WAITING', 'DONE IN ABOUT', 'QUOTA IN USE', 'PUSHED BY'],
      environments.map((row) => [
        row.environment,
        row.waiting,
        row.waiting === 0 ? '-' : inWords(row.estimatedMs),
        `${row.quota.places} of ${row.quota.allowed}${row.quota.pausedForMs > 0 ? `, paused ${inWords(row.quota.pausedForMs)}` : ''}`,
        row.pushedBy ? `process ${row.pushedBy.pid}` : '-',
      ]),
    ),
  ];
  for (const { environment, waiting } of stranded) {
    sections.push(`${waiting} rows wait for environment ${environment}, which registrar.yaml doesn't have.`);
  }
  if (attention.length > 0) {
    sections.push(
      textTable(
        ['COUNT', 'STATE', 'CAUSE', 'COMMAND'],
        attention.map((row) => [
          row.count,
          row.state,
          `${row.code}: ${row.reason}`,
          row.command ?? 'correct the file and drop it again',
        ]),
      ),
    );
  } else {
    sections.push('Nothing needs a person.');
  }
  if (unknownLearners.length > 0) {
    const rows = unknownLearners.map((row) => [
      `${row.learners} learners, ${row.rows} rows`,
      row.environment,
      row.nextRecheck ?? 'none',
      row.spent,
    ]);
    const table = textTable(
      ['NOT KNOWN TO THE PLATFORM', 'ENVIRONMENT', 'NEXT RECHECK', 'RECHECKS SPENT'],
      rows,
    );
    sections.push(`${table}\nregistrar map lists them, with known ones near.`);
  }
  if (setAside.length > 0) {
    sections.push(
      textTable(
        ['SET ASIDE', 'SOURCE', 'WHY'],
        setAside.map((row) => [row.file, row.source, row.refusal ?? '']),
      ),
    );
  }
  if (runs.length > 0) {
    sections.push(
      textTable(
        ['RUN', 'BY', 'BEGAN', 'ENDED', 'HOW'],
        runs.map((row) => [
          row.runId,
          row.trigger,
          row.startedAt,
          row.endedAt ?? '-',
          row.end ?? 'not ended',
        ]),
      ),
    );
  }
  return `${sections.join('\n\n')}\n`;
}
