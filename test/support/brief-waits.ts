import BetterSqlite3, { type Database } from 'better-sqlite3';

const BRIEF_MS = 300;

/**
 * From now until `end` is called, every connection of this process waits a moment for a lock that it would wait longer for.
 * A program does so from its start that loads this before (`node --import`) and has the variable `BRIEF_WAITS`.
 * @returns also how long in ms connections would have waited.
 */
export function briefWaits(): { readonly waits: ReadonlySet<number>; readonly end: () => void } {
  const { prototype } = BetterSqlite3;
  const { pragma } = prototype;
  const waits = new Set<number>();
  prototype.pragma = function shortened(this: Database, ...args) {
    const wait = Number(pragma.call(this, 'busy_timeout', { simple: true }));
    if (wait > BRIEF_MS) {
      waits.add(wait);
      pragma.call(this, `busy_timeout = ${BRIEF_MS}`);
    }
    return pragma.apply(this, args);
  };
  return {
    waits,
    end: () => {
      prototype.pragma = pragma;
    },
  };
}

if (process.env.BRIEF_WAITS !== undefined) briefWaits();
