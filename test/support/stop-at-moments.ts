import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * To be loaded before the program (`node --import`): stops it at each of the moments that `STOP_AT` lists,
 * `<failpoint>:<n>,…`, until it gets SIGCONT. It learns of them from what the program writes down as its trace.
 */
const { STOP_AT = '', REGISTRAR_FAILPOINT_TRACE } = process.env;

const moments = new Set(STOP_AT.split(','));
const hits = new Map<string, number>();
const append = fs.appendFileSync;

fs.appendFileSync = (path, data, options) => {
  append(path, data, options);
  if (path !== REGISTRAR_FAILPOINT_TRACE) return;
  const name = String(data).trimEnd();
  const hit = (hits.get(name) ?? 0) + 1;
  hits.set(name, hit);
  if (moments.has(`${name}:${hit}`)) process.kill(process.pid, 'SIGSTOP');
};
syncBuiltinESMExports();
