import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/actions/run/run-lifecycle.js';
import { scheduleSchema } from '../../src/config/schema/schedule-schema.js';
import type { ExitName } from '../../src/domain/operator-error.js';
import type { ChildResult } from '../../src/schedule/child-program.js';
import type { DueSlot } from '../../src/schedule/jobs/timed-job.js';
import { performer } from '../../src/schedule/perform.js';
import type { ServiceEvent } from '../../src/schedule/service-event.js';
import { actionContext } from '../support/action-context.js';
import { testLedger } from '../support/staged-ledger.js';
import { tempFolder } from '../support/temp-folder.js';

const OK: ChildResult = { code: 0, signal: null, document: null, stderr: '' };
const KILLED: ChildResult = { code: null, signal: 'SIGKILL', document: null, stderr: '' };
const TERMINATED: ChildResult = { code: 143, signal: null, document: null, stderr: 'Stopping' };
const FAILED: ChildResult = { code: 74, signal: null, document: null, stderr: 'disk I/O error' };

const at = (day: string) => Date.parse(`2026-03-${day}:00Z`);

/** The result of a line. */
interface Performed {
  readonly result: string;
  readonly events: readonly ServiceEvent[];
  /** The arguments of the commands. */
  readonly commands: readonly (readonly string[])[];
  /** The sources of each run. */
  readonly runs: readonly (readonly string[])[];
}

/** Carries out a line of the schedule, at 07:00 on 5 March where the test says nothing else. */
async function perform(
  line: object,
  options: {
    readonly slot?: Partial<DueSlot>;
    /** How a command ends, by its name; of a backup, `--verify` is the test of the copy. */
    readonly ends?: Readonly<Record<string, ChildResult>>;
    /** How a run ends. */
    readonly exit?: ExitName;
    readonly stop?: AbortController;
    readonly lost?: AbortSignal;
    /** Stops the service while its first command goes on. */
    readonly stopsInCommand?: boolean;
    readonly reports?: string;
  } = {},
): Promise<Performed> {
  const stop = options.stop ?? new AbortController();
  const events: ServiceEvent[] = [];
  const commands: (readonly string[])[] = [];
  const runs: (readonly string[])[] = [];
  const doing = {
    watched: <T>(_: string, work: () => Promise<T>) => work(),
    importFiles: async (sources: readonly string[]) => {
      runs.push(sources);
      return { runId: 7, exit: options.exit ?? 'done' } as RunResult;
    },
    command: async (args: readonly string[]) => {
      commands.push(args);
      if (options.stopsInCommand) stop.abort();
      return options.ends?.[args.find((arg) => arg === '--verify') ?? args[0] ?? ''] ?? OK;
    },
  };
  const context = actionContext(testLedger());
  const { reports = context.paths.reports } = options;
  const inReports = { ...context, paths: { ...context.paths, reports } };
  const entry = scheduleSchema.parse({ cron: '0 7 * * *', timeZone: 'UTC', ...line });
  const slot = { atMs: at('05T07:00'), sinceMs: at('04T07:00'), missed: 0, ...options.slot };
  const listen = (event: ServiceEvent) => events.push(event);
  const performing = performer({ ...inReports, stop: stop.signal, listen }, doing);
  const result = await performing(entry, slot, options.lost ?? new AbortController().signal);
  return { result, events, commands, runs };
}

describe('a line', () => {
  it('does its items in their order, and one that fails keeps none from being done', async () => {
    const { result, events, commands, runs } = await perform(
      { do: ['report', 'run', 'check'], sources: ['academy'] },
      { ends: { report: FAILED } },
    );
    expect(result).toBe('failed');
    expect(events).toMatchObject([
      { kind: 'failed', error: { message: 'report ended with exit code 74: disk I/O error' } },
      { kind: 'ran' },
      { kind: 'done', what: 'run', facts: { run: 7 } },
      { kind: 'done', what: 'check' },
    ]);
    expect(commands.map(([name]) => name)).toEqual(['report', 'doctor']);
    expect(runs).toEqual([['academy']]);
  });

  it.each<[ExitName, string]>([
    ['done', 'done'],
    ['attention', 'done'],
    ['unavailable', 'done'],
    ['io', 'failed'],
    ['unbalanced', 'failed'],
    ['bug', 'failed'],
    ['interrupted', 'interrupted'],
  ])('with a run that ends with %s is %s', async (exit, result) => {
    expect((await perform({ do: ['run'] }, { exit })).result).toBe(result);
  });

  it('begins no item while the service ends, or once another process has taken over', async () => {
    const stop = new AbortController();
    const stopped = await perform({ do: ['check', 'run'] }, { stop, stopsInCommand: true });
    expect(stopped).toMatchObject({ result: 'interrupted', runs: [] });
    const lost = AbortSignal.abort();
    expect(await perform({ do: ['check'] }, { lost })).toMatchObject({ result: 'interrupted', commands: [] });
  });
});

describe('a command that a signal ends', () => {
  it.each([KILLED, TERMINATED])(
    'while the service goes on has failed, and a notification says so (%o)',
    async (ended) => {
      const { result, events } = await perform({ do: ['check'] }, { ends: { doctor: ended } });
      expect(result).toBe('failed');
      expect(events).toMatchObject([{ kind: 'failed', error: { subject: 'doctor' } }]);
    },
  );

  it.each([KILLED, TERMINATED])('with the service is left to the next one (%o)', async (ended) => {
    const { result, events } = await perform(
      { do: ['check'] },
      { ends: { doctor: ended }, stopsInCommand: true },
    );
    expect(result).toBe('interrupted');
    expect(events).toEqual([]);
  });

  it('with the service is done where it had ended well by then, and failed where it had not', async () => {
    const ends = (ended: ChildResult) => ({ ends: { doctor: ended }, stopsInCommand: true });
    expect((await perform({ do: ['check'] }, ends(OK))).result).toBe('done');
    expect((await perform({ do: ['check'] }, ends(FAILED))).result).toBe('failed');
  });
});

describe('a report', () => {
  const spanOf = ({ commands }: Performed) => {
    const [args = []] = commands;
    return ['--since', '--until'].map((name) => args[args.indexOf(name) + 1]);
  };

  it.each<[string, Partial<DueSlot>, string]>([
    ['since the slot before', {}, '04T07:00'],
    [
      'since the last slot that was worked on, where slots were missed',
      { sinceMs: at('01T07:00') },
      '01T07:00',
    ],
    ['since the time before, where the line is new', { sinceMs: at('05T06:30') }, '04T07:00'],
  ])('shows what came in %s', async (_, slot, since) => {
    const performed = await perform({ do: ['report'] }, { slot });
    expect(spanOf(performed)).toEqual([`2026-03-${since}:00.000Z`, '2026-03-05T07:00:00.000Z']);
    expect(performed.commands[0]).toContain('--inboxes');
  });

  it('is said in the log with its folder', async () => {
    const document = { reportFolder: 'reports/x' };
    const { events } = await perform({ do: ['report'] }, { ends: { report: { ...OK, document } } });
    expect(events).toMatchObject([{ kind: 'done', facts: { folder: 'reports/x' } }]);
  });
});

describe('a purge', () => {
  const NAMES = [
    '2026-02-03T06-59-59Z-run-1',
    '2026-02-03T07-00-00Z-run-2',
    '2026-03-01T00-00-00Z-run-3',
    '1999-notes',
  ];
  const purged = async (ended: ChildResult, stopsInCommand = false) => {
    const reports = tempFolder();
    for (const name of NAMES) mkdirSync(join(reports, name));
    const line = { do: ['purge'], olderThan: '30d' };
    const performed = await perform(line, { ends: { purge: ended }, reports, stopsInCommand });
    return { ...performed, left: readdirSync(reports).sort() };
  };

  it('clears what is older than its age, and deletes the reports of that time alone', async () => {
    const { result, commands, left, events } = await purged(OK);
    expect(result).toBe('done');
    expect(commands[0]?.slice(0, 3)).toEqual(['purge', '--before', '2026-02-03T07:00:00.000Z']);
    expect(left).toEqual(NAMES.slice(1).sort());
    expect(events).toMatchObject([{ facts: { reports: 1 } }]);
  });

  it('that fails, or ends with the service, deletes no report', async () => {
    const [failed, stopped] = [await purged(FAILED), await purged(TERMINATED, true)];
    expect([failed.result, stopped.result]).toEqual(['failed', 'interrupted']);
    for (const { left } of [failed, stopped]) expect(left).toEqual([...NAMES].sort());
  });
});

describe('a backup', () => {
  const DAYS = ['01', '02', '03', '04'];
  const backedUp = async (ends: Readonly<Record<string, ChildResult>>, stopsInCommand = false) => {
    const folder = tempFolder();
    for (const day of DAYS) writeFileSync(join(folder, `registrar-202603${day}T070000Z.db`), '');
    for (const other of ['registrar-2026.db', 'x-registrar-20260301T070000Z.db'])
      writeFileSync(join(folder, other), '');
    const performed = await perform({ do: ['backup'], folder, keep: 3 }, { ends, stopsInCommand });
    return {
      ...performed,
      folder,
      left: readdirSync(folder).filter((name) => name.startsWith('registrar-20260')),
    };
  };

  it('is made, restored for a test, and the oldest copies beyond those to keep are deleted', async () => {
    const { result, commands, folder, left } = await backedUp({});
    const file = join(folder, 'registrar-20260305T070000Z.db');
    expect(result).toBe('done');
    expect(commands).toEqual([
      ['backup', file, '--force'],
      ['backup', file, '--verify'],
    ]);
    expect(left).toEqual(['02', '03', '04'].map((day) => `registrar-202603${day}T070000Z.db`));
    expect(readdirSync(folder)).toHaveLength(5);
  });

  it.each([
    ['fails', 'backup', FAILED, false, 1],
    ['fails its test', '--verify', FAILED, false, 2],
    ['ends with the service', 'backup', TERMINATED, true, 1],
    ['ends with the service in its test', '--verify', TERMINATED, true, 2],
  ])('that %s deletes no older copy', async (_, command, ended, isStopped, count) => {
    const { result, commands, left } = await backedUp({ [command]: ended }, isStopped);
    expect(result).toBe(isStopped ? 'interrupted' : 'failed');
    expect(commands).toHaveLength(count);
    expect(left).toHaveLength(4);
  });
});

describe('a check', () => {
  it('that fails is reported with what the doctor found broken', async () => {
    const checks = [
      { check: 'ledger', verdict: 'broken', message: 'a page is damaged' },
      { check: 'disk', verdict: 'ok', message: 'there is room' },
    ];
    const ends = { doctor: { ...FAILED, document: { checks } } };
    const { events } = await perform({ do: ['check'] }, { ends });
    expect(events).toMatchObject([{ error: { message: 'ledger: a page is damaged' } }]);
  });

  it('that fails is reported in the words and with the remedy of its own error', async () => {
    const error = { message: 'the ledger is locked', hint: 'Wait for run 3.' };
    const { events } = await perform(
      { do: ['check'] },
      { ends: { doctor: { ...FAILED, document: { error } } } },
    );
    expect(events).toMatchObject([{ error }]);
  });
});
