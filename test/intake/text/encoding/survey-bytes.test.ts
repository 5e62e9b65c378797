import { describe, expect, it } from 'vitest';
import { surveyBytes } from '../../../../src/intake/text/encoding/survey-bytes.js';
import { writeDrop } from '../../../support/open-content.js';
import { writeZip } from '../../../support/write-zip.js';

describe('surveyBytes', () => {
  it('checks an archive for no property of a text', async () => {
    const archive = writeZip([{ name: 'a', content: Buffer.from([0, 0x81, 0xff]), stored: true }]);
    expect(await surveyBytes(writeDrop(archive))).toMatchObject({
      identity: { bytes: archive.length },
      validUtf8: false,
      nuls: { even: 0, odd: 0, first: -1 },
    });
  });

  it('finds the odd bytes of a text', async () => {
    expect(await surveyBytes(writeDrop(Buffer.from([0x61, 0, 0x81])))).toMatchObject({
      validUtf8: false,
      nuls: { even: 0, odd: 1, first: 1 },
    });
  });
});
