import { createHash, type Hash } from 'node:crypto';
import type { Person } from '../../domain/access/role.js';
import { errorsOf } from '../../domain/operator-error.js';
import { findAnswer, storeAnswer } from '../../ledger/access/idempotent-responses.js';
import type { ActionContext } from '../context.js';

/** A request body that is a file, streamed. */
export interface SentFile {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Aborted when the sender disconnects or is too slow. */
  readonly signal: AbortSignal;
}

export interface ApiAnswer {
  readonly status: 200 | 202;
  readonly document: unknown;
  /** True: this is a stored answer; the work was not done again. */
  readonly isReplayed?: boolean;
}

/** Makes requests with an Idempotency-Key safe to repeat. Answers are stored in the ledger; requests in progress only in this process. */
export function idempotentAnswers(context: () => ActionContext) {
  const inWork = new Set<string>();
  /**
   * Returns the answer stored for the key, or does the work and stores its answer, unless it was a dry run.
   * Throws OperatorError if the key was used for another request, or while its first request is in progress.
   * @param work receives the body and the hash of the request; null: the file has not been read yet.
   */
  return async (
    request: {
      readonly person: Person;
      readonly key: string;
      readonly target: string;
      readonly body: string | SentFile;
    },
    work: (body: string | SentFile, hash: string | null) => Promise<ApiAnswer>,
  ): Promise<ApiAnswer> => {
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
      const input = typeof body === 'string' ? body : { ...body, chunks: digested(body.chunks, digest) };
      const stored = await findAnswer(ledger, keyHash);
      if (stored === null) {
        const answer = await work(input, typeof input === 'string' ? digest.copy().digest('hex') : null);
        const isDry = (answer.document as { readonly dryRun?: unknown }).dryRun === true;
        if (!isDry) {
          const document = JSON.stringify(answer.document);
          await storeAnswer(ledger, keyHash, { ...answer, requestHash: digest.digest('hex'), document });
        }
        return answer;
      }
      if (typeof input !== 'string') for await (const _ of input.chunks);
      if (digest.digest('hex') !== stored.requestHash)
        throw refusal(KEY, 'the key was used for another request', REUSED_HINT, { reason: 'key-reused' });
      // It was kept with the status of an answer.
      const status = stored.status as ApiAnswer['status'];
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
