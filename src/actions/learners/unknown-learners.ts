import { errorsOf } from '../../domain/operator-error.js';
import { unknownLearners as readUnknown } from '../../ledger/books/unknown-learners.js';
import { nextRecheck } from '../../report/status/next-recheck.js';
import type { ActionContext } from '../context.js';
import { learnersNamed } from './learners-named.js';

/** The most learners that are shown: for each one near matches are searched among all learners ever accepted. */
const MAX_SHOWN = 200;

/** Learners whom the platform doesn't know: how many, and those with the most rows. */
export type UnknownLearners = Omit<Awaited<ReturnType<typeof listUnknown>>, 'listable'>;

/**
 * Learners whom the platform doesn't know, with known ones near them. Personal. @param identifier only the learners it names;
 * throws OperatorError where the platform knows all of these.
 */
export async function unknownLearners(context: ActionContext, identifier?: string): Promise<UnknownLearners> {
  const { listable: _, ...list } = await listUnknown(context, identifier ?? null);
  if (identifier === undefined || list.unknown.length > 0) return list;
  throw errorsOf('map a learner')(
    'the old identifier',
    'the platform has refused no row because of a learner with the old identifier',
    'Name the right identifier as well, or neither, which lists the unknown learners.',
    { reason: 'not-found' },
  );
}

/** The same, with none where the platform knows all of them. @param identifier null: any learner. @param shown absent: all. */
export async function listUnknown(
  { ledger, config }: ActionContext,
  identifier: string | null,
  shown?: { readonly from: number; readonly count: number },
) {
  const among = identifier === null ? undefined : learnersNamed(ledger, identifier).map(({ hash }) => hash);
  const { learners, rows, listable, listed } = await readUnknown(ledger, {}, MAX_SHOWN, among, shown);
  const unknown = listed.map(({ learner, hold, example, ...others }) => ({
    environment: others.environment,
    type: learner.type,
    id: learner.id,
    rows: others.rows,
    example: `${example.file}:${example.line}`,
    rechecks: hold?.rechecks ?? 0,
    nextRecheck: nextRecheck(hold, config.environments[others.environment]?.recheck),
    near: others.near,
  }));
  return { learners, rows, listable, unknown };
}
