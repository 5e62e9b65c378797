import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type AlertMessage, documentOf } from '../message.js';
import { ChannelError } from './channel-error.js';
import { type TimeLimit, withTimeout } from './with-timeout.js';

/** A pipe without a reader is refused at once. A new file is for its owner alone, by the process's umask. */
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;

export async function sendByFile(
  file: string,
  root: string,
  message: AlertMessage,
  limit: TimeLimit,
): Promise<void> {
  await withTimeout(limit, async () => {
    const handle = await open(resolve(root, file), FLAGS);
    try {
      if (!(await handle.stat()).isFile()) throw new ChannelError('is not a file');
      await handle.write(`${JSON.stringify(documentOf(message))}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}
