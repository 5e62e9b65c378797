import { mailAddressMistake } from '../values/network/alert-address.js';
import { z } from '../zod.js';
import { bucket, sftpAccount } from './inbox-schema.js';
import { checked, duration, folderMistake, nameSchema, renaming } from './value-schemas.js';

const mail = z.strictObject({
  to: checked(mailAddressMistake).meta({ title: 'mail address' }).describe('address of the sender'),
  channel: nameSchema
    .optional()
    .describe('channel of alerts whose mail server and address are used; else the first one with email'),
  attach: z
    .boolean()
    .default(false)
    .describe(
      'true: the files are attached, which hold personal data. Else the mail has counts and a link to the console',
    ),
});

/** Where the results of a source's files go, and by when. */
export const resultsSchema = z
  .strictObject({
    folder: checked(folderMistake)
      .optional()
      .describe('folder, relative to the workspace; a folder outside it must exist'),
    sftp: z
      .strictObject({
        ...sftpAccount,
        folder: sftpAccount.folder.describe('folder of the server, which must exist'),
      })
      .optional()
      .describe('folder of an SFTP server'),
    s3: z.strictObject(bucket).optional().describe('folder of a bucket'),
    mail: mail.optional().describe('mail to the sender'),
    within: duration
      .prefault('1d')
      .describe(
        'longest time after the import until the result is written although rows still wait to be sent; it counts them',
      ),
  })
  .transform(renaming({ within: 'withinMs' }));
