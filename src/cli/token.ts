import { addToken, listTokens, revokeToken } from '../actions/access/tokens.js';
import { textTable } from '../report/text/layout.js';
import type { Answer, Call } from './command.js';
import type { serve } from './facts.js';
import { requireInput, usageError } from './usage-error.js';

const ADD = 'registrar token add billing --role viewer';
/** A day in UTC, with its year: a token may be valid for years. */
const day = (iso: string | null | undefined) => iso?.slice(0, 10) ?? '-';

export async function answer(call: Call<typeof serve.token>): Promise<Answer> {
  const [action, name] = call.inputs;
  if (action === 'list') return listAnswer(call);
  if (action === 'add') return addAnswer(call, requireInput(name, 'the name', ADD));
  const revoked = requireInput(name, 'the name', 'registrar token revoke billing');
  await revokeToken(await call.open(), revoked, call.who);
  return {
    document: () => ({ token: { name: revoked } }),
    text: () => `Revoked the token ${revoked}: requests with it are refused.\n`,
  };
}

async function addAnswer({ options, open, who }: Call<typeof serve.token>, name: string): Promise<Answer> {
  const role = requireInput(options.role, '--role', ADD);
  if (options.quiet && !options.json) {
    throw usageError(
      '--quiet',
      '--quiet would hide the token, which is shown only once',
      'Leave it out, or write --json as well.',
    );
  }
  const { secret, expiresAt } = await addToken(await open(), { name, role, days: options.days ?? null }, who);
  return {
    document: () => ({ token: { name, role, expiresAt }, secret }),
    text: () => `${secret}\n`,
    notes: options.json
      ? ''
      : `This is the token of ${name} (${role})${expiresAt === null ? '' : `, valid until ${day(expiresAt)}`}. It is shown only once: store it where the program can read it.\n`,
  };
}

async function listAnswer({ openReadOnly }: Call<typeof serve.token>): Promise<Answer> {
  const context = await openReadOnly('unused');
  const tokens = context === null ? [] : await listTokens(context);
  return {
    document: () => ({
      tokens: tokens.map(({ name, role, added, lastUsedAt, expiresAt, revoked }) => ({
        name,
        role,
        added: { at: added.at, who: added.name, door: added.door },
        lastUsedAt,
        expiresAt,
        revoked: revoked && { at: revoked.at, who: revoked.name, door: revoked.door },
      })),
    }),
    text: (columns) =>
      tokens.length === 0
        ? `No program has a token yet: ${ADD}\n`
        : `${textTable(
            ['NAME', 'ROLE', 'ADDED', 'BY', 'LAST USED', 'EXPIRES', 'REVOKED', 'BY'],
            tokens.map(({ name, role, added, lastUsedAt, expiresAt, revoked }) => [
              name,
              role,
              day(added.at),
              added.name,
              day(lastUsedAt),
              day(expiresAt),
              day(revoked?.at),
              revoked?.name ?? '-',
            ]),
            columns,
          )}\n`,
  };
}
