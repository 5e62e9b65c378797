import { expect, it } from 'vitest';
import { checkDisk } from '../../../src/actions/doctor/doctor.js';
import { workspacePaths } from '../../../src/workspace/folders.js';
import { tempFolder } from '../../support/temp-folder.js';

it('free space is that of the disk that holds the workspace', async () => {
  const paths = workspacePaths(tempFolder());
  expect(await checkDisk(paths)).toMatchObject({
    check: 'disk',
    subject: paths.root,
    verdict: 'ok',
    message: expect.stringMatching(/^\d+ MB are free$/),
  });
});
