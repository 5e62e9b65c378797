import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import type { Connections } from '../platform/dispatcher.js';
import { numberedName } from '../workspace/files/file-name.js';
import type { RemoteAddress, S3Bucket } from './remote-inbox.js';
import { type KnownFault, type RemoteFile, type RemotePlace, reasonOf, withFaults } from './remote-place.js';

type S3Source = RemoteAddress & { readonly s3: S3Bucket };

type Sdk = typeof import('@aws-sdk/client-s3');

/** After so long without data, the server counts as away. */
const SILENT_MS = 60_000;
const CONNECT_MS = 20_000;

const SILENT = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

/** The default; servers other than Amazon's ignore it. */
const ANY_REGION = 'us-east-1';

/** The credentials are those that the SDK finds: variables, profiles, the role of the machine. */
export async function openS3(remote: S3Source, signal: AbortSignal): Promise<RemotePlace> {
  const { source, s3 } = remote;
  // It would write into people's output that later versions of it need a later Node.js.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  // Other sources don't load it.
  const sdk = await import('@aws-sdk/client-s3');
  const client = await clientFor(s3, sdk);
  const abort = { abortSignal: signal };
  const Bucket = s3.bucket;
  const keyOf = (name: string) => folderOf(s3.prefix) + name;
  const archivedKeyOf = (name: string) => keyOf(folderOf(s3.archivePrefix ?? '') + name);
  const head = (Key: string) =>
    client.send(new sdk.HeadObjectCommand({ Bucket, Key }), abort).catch((error) => {
      if (statusOf(error) === 404) return null;
      throw error;
    });
  const remove = async (Key: string) => {
    await client.send(new sdk.DeleteObjectCommand({ Bucket, Key }), abort);
  };
  /** A crash between the copy and the removal leaves the copy, which is then found. */
  const archive = async (name: string) => {
    const original = await head(keyOf(name));
    if (original === null) return;
    let number = 1;
    let existing = await head(archivedKeyOf(name));
    while (existing !== null && existing.ETag !== original.ETag) {
      number += 1;
      existing = await head(archivedKeyOf(numberedName(name, number)));
    }
    if (existing === null) {
      const CopySource = `${Bucket}/${keyOf(name).split('/').map(encodeURIComponent).join('/')}`;
      const Key = archivedKeyOf(numberedName(name, number));
      await client.send(new sdk.CopyObjectCommand({ Bucket, Key, CopySource }), abort);
    }
    await remove(keyOf(name));
  };
  const list = async () => {
    const files: RemoteFile[] = [];
    // Names may hold characters that XML can't.
    const input = { Bucket, Prefix: keyOf(''), Delimiter: '/', EncodingType: 'url' } as const;
    for await (const { Contents, EncodingType } of sdk.paginateListObjectsV2({ client }, input, abort)) {
      for (const { Key = '', ETag, Size, LastModified } of Contents ?? []) {
        const key = EncodingType === 'url' ? decodeURIComponent(Key.replaceAll('+', ' ')) : Key;
        const name = key.slice(keyOf('').length);
        // The mark of a folder has no name.
        if (name !== '') files.push(fileOf(name, ETag, Size, LastModified));
      }
    }
    return files;
  };
  const place: RemotePlace = {
    isWhole: true,
    list,
    async stat(name) {
      const object = await head(keyOf(name));
      return object === null ? null : fileOf(name, object.ETag, object.ContentLength, object.LastModified);
    },
    async *read(file) {
      const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket, Key: keyOf(file.name) }), abort);
      let bytes = 0;
      for await (const chunk of (Body ?? []) as AsyncIterable<Uint8Array>) {
        bytes += chunk.length;
        yield chunk;
        // One byte more shows that it has grown.
        if (bytes > (file.sizeBytes ?? 0)) return;
      }
    },
    folder: {
      // An object appears at once and whole.
      async put(path, name) {
        const { size: ContentLength } = await stat(path);
        const Body = createReadStream(path);
        try {
          const put = { Bucket, Key: keyOf(name), Body, ContentLength };
          await client.send(new sdk.PutObjectCommand(put), abort);
        } finally {
          Body.destroy();
        }
      },
      remove: (name) => remove(keyOf(name)),
      archive,
      async try(how) {
        const name = `.registrar-test-${randomBytes(6).toString('hex')}`;
        await client.send(new sdk.PutObjectCommand({ Bucket, Key: keyOf(name), Body: '' }), abort);
        if (how === 'archive') await archive(name);
        await remove(how === 'archive' ? archivedKeyOf(name) : keyOf(name));
      },
    },
    close: () => client.destroy(),
  };
  return withFaults(source, remote.place, place, (error) => ({
    ...knownFault(error, s3),
    isAway: statusOf(error) === null,
  }));
}

async function clientFor({ region, endpoint, pathStyle }: S3Bucket, sdk: Sdk): Promise<S3Client> {
  const { createConnections } = await import('../platform/dispatcher.js');
  const times = { headersTimeout: SILENT_MS, bodyTimeout: SILENT_MS, connectTimeout: CONNECT_MS };
  return new sdk.S3Client({
    ...(endpoint === undefined ? {} : { region: ANY_REGION, endpoint }),
    ...(region === undefined ? {} : { region }),
    forcePathStyle: pathStyle,
    // Other servers than Amazon's don't know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would print warnings into people's output.
    logger: SILENT,
    requestHandler: handlerOf(createConnections(times, {})),
    // It needs an answer to the head of a request before its body, which undici doesn't do.
    expectContinueHeader: false,
  });
}

type DispatcherRequest = Parameters<ReturnType<Connections['to']>['request']>[0];

/** Signed. */
interface SdkRequest
  extends Required<Pick<DispatcherRequest, 'path' | 'method' | 'headers'>>,
    Pick<DispatcherRequest, 'body'> {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>;
}

/** By the proxy of the environment, which the SDK doesn't know. */
function handlerOf(connections: Connections) {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(
      { protocol, hostname, port, path, query = {}, method, headers, body = null }: SdkRequest,
      { abortSignal: signal = null }: { readonly abortSignal?: AbortSignal | null } = {},
    ) {
      const { origin } = new URL(`${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`);
      const search = Object.entries(query)
        .flatMap(([name, value]) =>
          [value ?? ''].flat().map((one) => [name, one].map(encodeURIComponent).join('=')),
        )
        .join('&');
      const to = { origin, path: search === '' ? path : `${path}?${search}` };
      try {
        return {
          response: await connections.to(new URL(origin)).request({ ...to, method, headers, body, signal }),
        };
      } catch (error) {
        // The SDK tries those again that it knows from Node.js; of undici's it knows none.
        throw signal?.aborted ? error : Object.assign(error as Error, { $retryable: {} });
      }
    },
    destroy: () => void connections.close(),
  };
}

function fileOf(name: string, etag = '', sizeBytes = 0, modified?: Date): RemoteFile {
  const modifiedAt = modified?.toISOString() ?? '';
  return { name, version: `${etag} of ${modifiedAt.slice(0, 19)}`, sizeBytes, modifiedAt };
}

/** A prefix as a folder: with a slash at its end; '' is the bucket itself. */
function folderOf(prefix: string): string {
  return prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
}

function knownFault(error: unknown, { bucket }: S3Bucket): KnownFault {
  const { name = '', message = '' } = error as { readonly name?: string; readonly message?: string };
  if (name === 'NoSuchBucket') {
    const reason = `there is no bucket ${bucket}`;
    return { reason, hint: 'Correct bucket, region or endpoint.', exit: 'usage' };
  }
  if (name === 'PermanentRedirect' || /region is missing/i.test(message)) {
    const reason = 'the region of the bucket is missing, or another one';
    return { reason, hint: 'Write region, or set AWS_REGION.', exit: 'usage' };
  }
  if (name === 'CredentialsProviderError') {
    return {
      reason: 'no credentials were found',
      hint: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, or give the machine a role.',
      exit: 'unavailable',
    };
  }
  const status = statusOf(error);
  if (status === 401 || status === 403) {
    return {
      reason: `access denied${name === '' || name === '403' ? '' : ` (${name})`}`,
      hint: 'Give these credentials the right to list the bucket, and to read, write and delete in it.',
      exit: 'unavailable',
    };
  }
  return {
    reason: status === null ? reasonOf(error) : `the server answers HTTP ${status} (${name})`,
    hint: 'Registrar tries again by itself.',
    exit: 'io',
  };
}

/** null: no answer came. */
function statusOf(error: unknown): number | null {
  const { $metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return $metadata?.httpStatusCode ?? null;
}
