import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A bug to plant: a piece of the compiled program, there once, and what takes its place. */
interface Mutant {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The tests that are to notice what no world goes through; then the piece is one of the source. */
  readonly tests?: string;
}

/**
 * Plants one bug after another in a copy of the compiled program and says which invariant notices it in so many worlds,
 * or in a copy of the source and says which test does: an invariant or a test that can't fail shows nothing.
 * `npm run mutants -- 300 guard` takes 300 worlds, for those whose file or piece is named so.
 */
const MUTANTS: readonly Mutant[] = [
  { file: 'domain/guard', from: "mate.state === 'sending' || (", to: '(' },
  { file: 'domain/guard', from: 'if (isAfter(candidate.occurredAt, mate.occurredAt))', to: 'if (false)' },
  { file: 'domain/guard', from: "if (outOfOrder && candidate.pass !== 'all')", to: 'if (false)' },
  { file: 'domain/guard', from: "if (learnerOnHold && candidate.pass !== 'all')", to: 'if (false)' },
  { file: 'domain/guard', from: 'if (amends && candidate.pass === null)', to: 'if (false)' },
  { file: 'domain/guard', from: 'if (newer)', to: 'if (false)' },
  { file: 'domain/submission', from: "return 'throttled';", to: "return 'retried';" },
  {
    file: 'domain/submission',
    from: 'triesSpent < patience.maxTries',
    to: 'triesSpent <= patience.maxTries',
  },
  { file: 'domain/submission', from: 'resends < patience.maxResends', to: 'resends <= patience.maxResends' },
  {
    file: 'domain/submission',
    from: 'resends < patience.maxResends',
    to: 'resends + 1 < patience.maxResends',
  },
  { file: 'domain/submission', from: "patience.onUnknown === 'resend' &&", to: '' },
  { file: 'ledger/claims', from: 'if (!holdsLease(ledger, lease))', to: 'if (false)' },
  { file: 'ledger/claims', from: 'if (dueMs > nowMs && ', to: 'if (false && ' },
  { file: 'ledger/drops', from: 'return unfinishedDrop(ledger)?.dropId ?? null;', to: 'return null;' },
  {
    file: 'ledger/answers',
    from: "!late && attempted.state === 'sending' && attempted.latestAttempt === attemptId",
    to: "attempted.state !== 'accepted'",
  },
  {
    file: 'ledger/answers',
    from: "!late && attempted.state === 'sending' && attempted.latestAttempt === attemptId",
    to: "attempted.state === 'sending'",
  },
  { file: 'ledger/answers', from: 'repeats: isRepeat ? 1 : 0', to: 'repeats: 0' },
  { file: 'ledger/answers', from: "&& attempted.state !== 'accepted'", to: '&& false' },
  {
    file: 'ledger/answers',
    from: '|| (isPassing(outcome) && !policy.spendTries)',
    to: '',
  },
  {
    file: 'ledger/answers',
    from: 'for (const { attemptId } of abandoned) {',
    to: 'for (const { attemptId } of []) {',
  },
  { file: 'ledger/answers', from: "if (to === 'accepted')", to: 'if (false)' },
  {
    file: 'ledger/answers',
    from: "if (outcome.kind === 'rejected' && outcome.cause === 'learner-unknown') {",
    to: 'if (false) {',
  },
  { file: 'ledger/quota', from: 'taken.places >= allowed', to: 'taken.places > allowed' },
  { file: 'ledger/quota', from: 'rule.perMs + Math.ceil(rule.perMs / 400)', to: 'rule.perMs' },
  {
    file: 'ledger/quota',
    from: 'free_mono_ms: now + deadlineMs + holdMs(rule)',
    to: 'free_mono_ms: now + deadlineMs',
  },
  {
    file: 'ledger/quota',
    from: 'const free = now + holdMs(rule);',
    to: 'const free = now + rule.perMs / 2;',
  },
  { file: 'ledger/quota', from: '+ free_mono_ms - taken_mono_ms', to: '' },
  { file: 'ledger/quota', from: 'if (pausedForMs > 0)', to: 'if (false)' },
  { file: 'ledger/quota', from: 'if (probeMs > 0)', to: 'if (false)' },
  { file: 'ledger/quota', from: 'sql `max(paused_until_mono_ms, ${until})`', to: 'until' },
  { file: 'ledger/quota', from: 'rule.requests - rule.reserve', to: 'rule.requests' },
  { file: 'ledger/leases', from: 'const token = (current?.token ?? 0) + 1;', to: 'const token = 1;' },
  { file: 'ledger/leases', from: '(current.expires_mono_ms ?? 0) <= now', to: 'true' },
  { file: 'ledger/leases', from: '(current.expires_mono_ms ?? 0) <= now', to: 'false' },
  { file: 'ledger/decisions', from: '|| mayBeWritten(ledger, id, state)', to: '|| false' },
  {
    file: 'ledger/learner-holds',
    from: 'if (!endHold(ledger, environment, learner))',
    to: 'if (false)',
  },
  {
    file: 'ledger/staging',
    from: 'counts[stageRow(ledger, target, row, make)] += lines',
    to: 'counts[stageRow(ledger, target, row, make)] += row.line === 3 ? 2 : lines',
  },
  { file: 'ledger/canary', from: '&& underWay === undefined', to: '' },
  { file: 'ledger/transitions', from: 'successor_id: details.successorId', to: 'successor_id: null' },
  { file: 'push/settle-permit', from: 'permit.lost()', to: 'permit.unused()' },
  { file: 'push/deliver', from: 'context.tokens.refuse(token);', to: '' },
  { file: 'push/deliver', from: 'permit.mayLeave() && ', to: '' },
  { file: 'push/deliver', from: ' && holdsLease(context.ledger, lease)', to: '' },
  {
    file: 'push/settle-permit',
    from: 'permit.throttled(answer.outcome.retryAfterMs)',
    to: 'permit.answered()',
  },
  {
    file: 'push/deliver',
    from: 'const settled = recordAnswer(',
    to: "const settled = answer.outcome.kind === 'stop' ? [] : recordAnswer(",
  },
  {
    file: 'push/deliver',
    from: 'watchCanary(context, submissionId, state);',
    to: 'await context.client.send(request, token, mayLeave);',
  },
  { file: 'push/circuit-breaker', from: 'proven && ', to: '' },
  { file: 'push/circuit-breaker', from: 'atOnce || faults >= FAULTS_TO_OPEN', to: 'false' },
  {
    file: 'push/push-environment',
    from: "due.kind === 'nothing' && underWay.size === 0 && giveBackWhenDrained(context, lease)",
    to: 'underWay.size === 0',
  },
  { file: 'ledger/claims', from: 'if (decisionId === null)', to: 'if (true)' },
  {
    file: 'platform/classify',
    from: 'retryAfterMs: waitMs, mayBeWritten: true',
    to: 'retryAfterMs: waitMs, mayBeWritten: false',
  },
  { file: 'platform/classify', from: 'if (failure.sent)', to: 'if (false)' },
  { file: 'platform/classify', from: 'if (status === 429) {', to: 'if (false) {' },
  { file: 'platform/classify', from: 'if (isPage(response))', to: 'if (false)' },
  { file: 'platform/retry-after', from: 'waitMs <= LONGEST_RETRY_AFTER_MS', to: 'true' },
  { file: 'platform/classify', from: 'if (failureSign === null)', to: 'if (true)' },
  { file: 'platform/failure-sign', from: 'if (json === false)', to: 'if (true)' },
  { file: 'ledger/answers', from: 'submission.resends < policy.maxResends', to: 'true' },
  { file: 'ledger/answers', from: 'Math.max(backOffMs, retryAfterMs)', to: 'backOffMs' },
  { file: 'ledger/quota', from: 'iif(paused_until_mono_ms > 0, ${now + fullMs}, 0)', to: '0' },
  {
    file: 'ledger/quota',
    from: ".where('answered', '=', 1)",
    to: '',
    tests: 'test/ledger/quota.test.ts',
  },
  {
    file: 'push/deliver',
    from: "if (outcome.kind !== 'throttled')",
    to: "if (outcome.kind === 'accepted')",
  },
  {
    file: 'ledger/claims',
    from: 'together.length + 1 >= sharing.most',
    to: 'together.length + 1 > sharing.most',
    tests: 'test/ledger/deliveries.test.ts',
  },
  {
    file: 'ledger/checksum',
    from: '${slot}${key}${content}',
    to: '${slot}${key}',
    tests: 'test/ledger/damage.test.ts',
  },
  {
    file: 'push/silence',
    from: 'unanswered = underWay;',
    to: 'unanswered = 0;',
    tests: 'test/push/silence.test.ts',
  },
  {
    file: 'push/push-environment',
    from: 'health.silence.isSilent() ? 1 : inFlight',
    to: 'inFlight',
    tests: 'test/push/push-environment.test.ts',
  },
  {
    file: 'workspace/claim-drop',
    from: 'if (!isUntouched(file, now)) return changed(file.path);',
    to: '',
    tests: 'test/staging/changing-files.test.ts',
  },
  {
    file: 'workspace/move-file',
    from: 'await handle.sync();',
    to: '',
    tests: 'test/workspace/claim-drop.test.ts',
  },
  {
    file: 'domain/path-segment',
    from: 'decoded = decoded.replace(ESCAPE',
    to: 'decoded.replace(ESCAPE',
    tests: 'test/domain/path-segment.test.ts',
  },
  {
    file: 'domain/visible-text',
    from: '\\p{Cc}\\p{Cf}\\p{Cs}',
    to: '\\p{Cc}\\p{Cs}',
    tests: 'test/domain/visible-text.test.ts',
  },
  {
    file: 'domain/clock',
    from: 'Number(offset[1]) * 1_000',
    to: 'Number(offset[1])',
    tests: 'test/domain/clock.test.ts',
  },
  {
    file: 'platform/impersonal',
    from: "'any',",
    to: "'words',",
    tests: 'test/platform/reason.test.ts',
  },
];

const DIST = fileURLToPath(new URL('../../', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const [worlds = '300', ...parts] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'registrar-mutants-'));
try {
  cpSync(DIST, join(folder, 'dist'), { recursive: true });
  for (const name of ['src', 'test']) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  for (const name of ['migrations', 'data', 'node_modules', 'package.json', 'tsconfig.json']) {
    symlinkSync(join(ROOT, name), join(folder, name));
  }
  cpSync(join(ROOT, 'vitest.config.ts'), join(folder, 'vitest.config.ts'));
  const chosen = MUTANTS.filter(
    ({ file, from }) => parts.length === 0 || parts.some((part) => `${file}: ${from}`.includes(part)),
  );
  const missed = chosen.filter((mutant) => !isNoticed(mutant));
  console.log(`${chosen.length} planted, ${chosen.length - missed.length} noticed`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function isNoticed({ file, from, to, tests }: Mutant): boolean {
  const path = join(folder, tests === undefined ? `dist/src/${file}.js` : `src/${file}.ts`);
  const sound = readFileSync(path, 'utf8');
  if (sound.split(from).length !== 2) throw new Error(`${path} doesn't hold exactly once: ${from}`);
  writeFileSync(
    path,
    sound.replace(from, () => to),
  );
  const what = tests === undefined ? brokenInvariant() : failedTest(tests);
  writeFileSync(path, sound);
  console.log(`${file}: ${from} -> ${to || 'nothing'}\n    ${what ?? 'NOTICED BY NOTHING'}`);
  return what !== null;
}

/** The first invariant that breaks; null when none does. */
function brokenInvariant(): string | null {
  const simulate = join(folder, 'dist/test/simulation/simulate.js');
  const { stdout, stderr } = run([simulate, '--first', '--seeds', worlds]);
  const broken = /^seed (\d+) after \d+ ms: broken: (.*)$/m.exec(stdout);
  if (broken) return `seed ${broken[1]}: ${broken[2]}`;
  // A program that can't even be run breaks in every world.
  if (stderr.includes('Error')) throw new Error(stderr.slice(0, 300));
  return null;
}

/** The first test that fails; null when none does. */
function failedTest(tests: string): string | null {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const { status, stdout } = run([vitest, 'run', '--root', folder, '--reporter=json', tests]);
  if (status === 0) return null;
  const { testResults } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
    testResults: { assertionResults: { status: string; fullName: string }[] }[];
  };
  const failed = testResults.flatMap(({ assertionResults }) => assertionResults);
  const first = failed.find((test) => test.status === 'failed');
  if (!first) throw new Error(`${tests} doesn't run: ${stdout.slice(0, 300)}`);
  return `${tests}: ${first.fullName}`;
}

function run(args: readonly string[]) {
  return spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder, maxBuffer: 2 ** 28 });
}
