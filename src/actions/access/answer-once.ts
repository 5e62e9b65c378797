import { createHash, type Hash } from 'node:crypto';
import type { Person } from '../../domain/access/role.js';
import { errorsOf } from '../../domain/operator-error.js';
import { findAnswer, storeAnswer } from '../../ledger/access/kept-answers.js';
import type { ActionContext } from '../context.js';

/** The bytes of a file, as they come. */
export interface SentFile {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Aborted where the sender is gone or too slow. */
  readonly signal: AbortSignal;
}

export interface Answered {
  readonly status: 200 | 202;
  /** One JSON document. */
  readonly document: unknown;
  /** True: it was kept, and nothing was done now. */
  readonly isReplayed?: boolean;
}

/** Answers are kept in the ledger; what is in work is known to this process, and a decision says which request has made it. */
export function answerOnce(context: () => ActionContext) {
  const inWork = new Set<string>();
  /**
   * Answers with the answer that was kept for the key, or with that of the work, which is kept unless it is that of a dry run.
   * Throws OperatorError where the key was used for another request, and while its first request is in work.
   * @param work gets the body as it is to be read, and the hash of the request; null: the bytes of a file are still to come.
   */
  return async (
    request: {
      readonly person: Person;
      readonly key: string;
      readonly target: string;
      readonly body: string | SentFile;
    },
    work: (body: string | SentFile, hash: string | null) => Promise<Answered>,
  ): Promise<Answered> => {
    const { person, key, target, body } = request;
    const { ledger } = context();
    const keyHash = createHash('sha256').update(`${person.name}\n${key}`).digest('hex');
    if (inWork.has(keyHash))
      throw refusal(KEY, 'the first request with this key is still running', IN_WORK_HINT, {
        reason: 'key-in-work',
      });
    inWork.add(keyHash);
    try {
      const digest = createHash('sha256').update(`${keyHash}\n${target}\n`);
      if (typeof body === 'string') digest.update(body);
      const read = typeof body === 'string' ? body : { ...body, chunks: digested(body.chunks, digest) };
      const stored = await findAnswer(ledger, keyHash);
      if (stored === null) {
        const answer = await work(read, typeof read === 'string' ? digest.copy().digest('hex') : null);
        const isDry = (answer.document as { readonly dryRun?: unknown }).dryRun === true;
        if (!isDry) {
          const document = JSON.stringify(answer.document);
          await storeAnswer(ledger, keyHash, { ...answer, requestHash: digest.digest('hex'), document });
        }
        return answer;
      }
      if (typeof read !== 'string') for await (const _ of read.chunks);
      if (digest.digest('hex') !== stored.requestHash)
        throw refusal(KEY, 'the key was used for another request', REUSED_HINT, { reason: 'key-reused' });
      // It was kept with the status of an answer.
      const status = stored.status as Answered['status'];
      return { status, document: JSON.parse(stored.document), isReplayed: true };
    } finally {
      inWork.delete(keyHash);
    }
  };
}

const KEY = 'Idempotency-Key';
const REUSED_HINT = 'Use a new key for each request.';
const IN_WORK_HINT = 'Send it again in a moment: it gets the answer of the first.';

async function* digested(chunks: AsyncIterable<Uint8Array>, digest: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    digest.update(chunk);
    yield chunk;
  }
}

const refusal = errorsOf('answer the request');
