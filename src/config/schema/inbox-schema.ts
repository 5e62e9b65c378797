import { httpsFileName } from '../values/https-file-name.js';
import { queryAddressMistake } from '../values/network/address.js';
import { z } from '../zod.js';
import * as v from './value-schemas.js';

const doneMarker = z
  .string()
  .regex(/^[^/]+$/, 'must be an ending without a slash, such as .done')
  .optional()
  .describe(
    'suffix of the empty file that marks a file as complete: .done means march.csv.done. Otherwise a file is complete once two checks, `stableFor` apart, find it unchanged',
  );

const originals = z
  .enum(['leave', 'archive', 'delete'])
  .default('leave')
  .describe('what happens to the original once the rows of the file count');

const poll = v.positiveDuration.prefault('1m').describe('how often `registrar schedule` looks for new files');

/** An account of an SFTP server: `registrar source test` prints the host key and says whether the account can do what is needed. */
export const sftpAccount = {
  host: v.text.describe('name or address of the SFTP server'),
  port: v.port.default(22).describe('port of the SFTP server'),
  user: v.text.describe('the account to sign in with'),
  hostKey: z
    .string()
    .regex(
      /^SHA256:[A-Za-z0-9+/]{43}$/,
      'is not a fingerprint such as SHA256:…; registrar source test prints it',
    )
    .optional()
    .describe(
      'fingerprint of the server’s host key, which `registrar source test NAME` prints; without it the server is not used',
    ),
  keyFile: v.optionalText.describe('file with the private key, relative to the workspace'),
  passphrase: z.string().optional().describe('reference to the variable with the passphrase of the key'),
  password: z.string().optional().describe('reference to the variable with the password, instead of keyFile'),
  proxy: v
    .checked(proxyMistake)
    .meta(v.SECRET)
    .optional()
    .describe(
      'address of a proxy that opens tunnels (HTTP CONNECT), such as http://proxy.example:3128; without it, the server is reached directly, whatever HTTPS_PROXY says',
    ),
  folder: v.checked(emptyMistake).default('.').describe('folder on the server that holds the files'),
};

const sftp = z
  .strictObject({
    ...sftpAccount,
    doneMarker,
    originals,
    archiveFolder: v
      .checked(emptyMistake)
      .default('archive')
      .describe('folder for archived originals, relative to `folder`; on the same server'),
    poll,
  })
  .transform(({ poll: pollMs, ...read }) => ({ ...read, pollMs }));

/** A bucket of S3 or of a server that speaks it. Credentials are those that Amazon's SDK finds. */
export const bucket = {
  bucket: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'is not the name of a bucket')
    .describe('name of the bucket'),
  prefix: z.string().default('').describe('folder in the bucket that holds the files, such as out/'),
  region: v.optionalText.describe('region of the bucket; default: that of AWS_REGION or the profile'),
  endpoint: v
    .checked(urlMistake)
    .meta({ title: 'address' })
    .optional()
    .describe('address of a server other than Amazon’s, such as MinIO'),
  pathStyle: z
    .boolean()
    .default(false)
    .describe('true: the bucket is in the path of an address instead of its host; MinIO needs this'),
};

const s3 = z
  .strictObject({
    ...bucket,
    doneMarker,
    originals,
    archivePrefix: v
      .checked(emptyMistake)
      .default('archive/')
      .describe('folder for archived originals, relative to `prefix`'),
    poll,
  })
  .transform(({ poll: pollMs, ...read }) => ({ ...read, pollMs }));

const https = z
  .strictObject({
    url: v
      .checked(urlMistake)
      .meta({ title: 'address' })
      .describe('address of the file; a redirect is not followed'),
    file: v.optionalText.describe('file name in the inbox; default: the last segment of the path of url'),
    user: v.optionalText.describe('user name for basic authentication'),
    password: z.string().optional().describe('reference to the variable with the password'),
    token: z
      .string()
      .optional()
      .describe('reference to the variable with a bearer token, instead of user and password'),
    caFile: v.caFile,
    poll: v.positiveDuration
      .prefault('5m')
      .describe('how often `registrar schedule` checks whether the file has changed'),
  })
  .refine(({ url, file }) => httpsFileName(url, file) !== null, { path: ['file'], message: v.MISSING })
  .refine(
    ({ user, password, token }) =>
      (token === undefined || user === undefined) && (user === undefined) === (password === undefined),
    'needs token, or both user and password, or none of them',
  )
  .transform(({ poll: pollMs, ...read }) => ({ ...read, pollMs }));

/** A folder, or a folder with the remote place that files are fetched from into it. */
export const inboxSchema = z.union([
  v.checked(v.folderMistake),
  z
    .strictObject({
      folder: v.checked(v.folderMistake).optional().describe('the folder; default: inbox/<name>/'),
      sftp: sftp
        .optional()
        .describe('SFTP server whose files are fetched into the folder (see docs/sources.md)'),
      s3: s3.optional().describe('bucket whose files are fetched into the folder'),
      https: https
        .optional()
        .describe('address whose file is fetched into the folder whenever it has changed'),
    })
    .refine(
      ({ sftp, s3, https }) => [sftp, s3, https].filter((one) => one !== undefined).length <= 1,
      'has several of sftp, s3 and https; a source has one remote inbox',
    ),
]);

/** How files that are encrypted with PGP are decrypted, and whose signature they must have. */
export const decryptSchema = z
  .strictObject({
    keyFile: v.optionalText.describe(
      'file with the private key that the sender encrypts for, relative to the workspace',
    ),
    key: z.string().optional().describe('reference to the variable with that key, instead of keyFile'),
    passphrase: z.string().optional().describe('reference to the variable with the passphrase of the key'),
    verifyWith: v.optionalText.describe(
      'file with the public keys of the sender, relative to the workspace: any file that none of them has signed is refused',
    ),
  })
  .superRefine((decrypt, context) => v.requireOneSecret(context, decrypt, 'key', true));

function proxyMistake(address: string): string | null {
  const isProxy =
    URL.canParse(address) && new URL(address).protocol === 'http:' && new URL(address).hostname !== '';
  return isProxy ? null : 'is not the address of a proxy such as http://proxy.example:3128';
}

function urlMistake(url: string): string | null {
  return queryAddressMistake(url, 'https://files.example.com/march.csv');
}

function emptyMistake(folder: string): string | null {
  return folder.trim() === '' ? 'is empty; write a folder or remove the key' : null;
}
