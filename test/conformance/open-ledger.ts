import { ENGINES } from './engines.js';

/** A fresh, empty ledger of the engine that is tested, closed when the test ends. */
export async function open() {
  const [engine] = ENGINES;
  if (engine === undefined) throw new Error('there is no engine');
  return engine.open();
}
