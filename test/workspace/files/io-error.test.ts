import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ioError } from '../../../src/workspace/files/io-error.js';
import { tempFolder } from '../../support/temp-folder.js';

it.each(['rename', 'unlink'])(
  'a %s that is denied names the folder, whose right is missing, and not the file',
  (syscall) => {
    const root = tempFolder();
    const inbox = join(root, 'inbox');
    mkdirSync(inbox);
    const path = join(inbox, 'a.csv');
    writeFileSync(path, '');
    chmodSync(inbox, 0o555);
    onTestFinished(() => chmodSync(inbox, 0o755));
    const denied = Object.assign(new Error('denied'), {
      code: 'EACCES',
      syscall,
      path,
      ...(syscall === 'rename' ? { dest: join(root, 'a.csv') } : {}),
    });
    const { message } = ioError('claim a drop from its inbox', path, denied);
    expect(message).toContain(`${path}: permission denied; ${inbox} belongs to uid `);
    expect(message).toContain('with the rights 0555');
  },
);
