import type { SandboxAnswer } from '../../src/sandbox/answer.js';
import type { Random } from '../../src/sandbox/seeded-random.js';

interface OddAnswer {
  /** The request is carried out before it. */
  readonly isWritten: boolean;
  readonly status: number;
  readonly body: string;
}

/** Answers that mislead; the sandbox gives none of them by itself. */
export const ODD_ANSWERS = {
  'fail-after': { isWritten: true, status: 500, body: '{"errors":[{"code":"internal-error"}]}' },
  'error-in-success': { isWritten: false, status: 200, body: '{"errors":[{"code":"bad-request"}]}' },
  'text-success': { isWritten: true, status: 201, body: 'Created' },
  'multi-status': {
    isWritten: false,
    status: 207,
    body: '{"data":[{"status":422,"title":"Not carried out"}]}',
  },
  'long-detail': { isWritten: false, status: 400, body: refusalOf(`"${'x'.repeat(100_000)}"`) },
  'nested-detail': { isWritten: false, status: 400, body: refusalOf('['.repeat(5_000) + ']'.repeat(5_000)) },
} as const satisfies Readonly<Record<string, OddAnswer>>;

export type OddKind = keyof typeof ODD_ANSWERS;

/** The kind that a request meets; null: none. @param rates probabilities by kind, others among them. */
export function drawOdd(rates: Readonly<Record<string, number>>, random: Random): OddKind | null {
  const drawn = random();
  let below = 0;
  for (const kind of Object.keys(ODD_ANSWERS) as OddKind[]) {
    below += rates[kind] ?? 0;
    if (drawn < below) return kind;
  }
  return null;
}

/** @param send hands the platform the request, or without its body, which the platform then refuses. */
export function oddAnswer(kind: OddKind, send: (withBody: boolean) => SandboxAnswer): SandboxAnswer {
  const { isWritten, status, body } = ODD_ANSWERS[kind];
  const answer = send(isWritten);
  // Over the quota, without a token, or by another fault.
  if (answer.status !== (isWritten ? 201 : 400)) return answer;
  const type = body.startsWith('{') ? 'application/json' : 'text/plain';
  return { ...answer, status, headers: { 'content-type': type }, body };
}

function refusalOf(detail: string): string {
  return `{"errors":[{"code":"bad-request","detail":${detail}}]}`;
}
