import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

/**
 * To be loaded before the program (`node --import`): the process runs on the machine that `MACHINE` names, whose wall clock is wrong
 * by `WALL_AHEAD_MS`. This machine can't check processes of another name: only their heartbeats show that they live.
 */
const { MACHINE, WALL_AHEAD_MS = '0' } = process.env;

const RealDate = Date;

class WrongDate extends RealDate {
  constructor(...args: []) {
    super(...(args.length === 0 ? ([WrongDate.now()] as unknown as []) : args));
  }

  static override now(): number {
    return RealDate.now() + Number(WALL_AHEAD_MS);
  }
}

if (MACHINE !== undefined) {
  os.hostname = () => MACHINE;
  syncBuiltinESMExports();
  globalThis.Date = WrongDate as DateConstructor;
}
