import type { Server } from 'node:http';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import S3rver from 's3rver';
import { onTestFinished, vi } from 'vitest';
import { tempFolder } from './temp-folder.js';

/** A server that speaks S3 on loopback, with one bucket; gone when the test ends. */
export interface S3Server {
  readonly port: number;
  /** `inbox.s3` of a source that reads out/ of the bucket. */
  readonly settings: Readonly<Record<string, unknown>>;
  put(key: string, content: string | Buffer): Promise<void>;
  get(key: string): Promise<Buffer>;
  /** All keys of the bucket, sorted. */
  keys(): Promise<readonly string[]>;
  /** Ends it, with the answers that it is sending. */
  stop(): Promise<void>;
  /** Starts it again, at the same port and with the same files. */
  start(): Promise<void>;
}

const BUCKET = 'exports';

/** The account that the server knows, and the only one. */
const ACCOUNT = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** Starts a server; programs that the test starts find its account in their environment, as the SDK looks for it. */
export async function s3Server(): Promise<S3Server> {
  vi.stubEnv('AWS_ACCESS_KEY_ID', ACCOUNT.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', ACCOUNT.secretAccessKey);
  vi.stubEnv('AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED', 'true');
  const directory = tempFolder();
  const serverAt = (port: number) =>
    new S3rver({
      address: '127.0.0.1',
      port,
      silent: true,
      directory,
      // It would take the name of any host for that of a bucket.
      vhostBuckets: false,
      configureBuckets: [{ name: BUCKET, configs: [] }],
    });
  let server: S3rver | null = serverAt(0);
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: ACCOUNT,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  const stop = async () => {
    const ended = server?.close();
    (server as (S3rver & { readonly httpServer: Server }) | null)?.httpServer.closeAllConnections();
    server = null;
    await ended;
  };
  onTestFinished(async () => {
    client.destroy();
    await stop();
    vi.unstubAllEnvs();
  });
  return {
    port,
    settings: { bucket: BUCKET, prefix: 'out', endpoint, pathStyle: true },
    async put(Key, Body) {
      await client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body }));
    },
    async get(Key) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    },
    async keys() {
      const keys: string[] = [];
      let token: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: BUCKET, ContinuationToken: token }),
        );
        keys.push(...(page.Contents ?? []).map(({ Key = '' }) => Key));
        token = page.NextContinuationToken;
      } while (token !== undefined);
      return keys.sort();
    },
    stop,
    async start() {
      server = serverAt(port);
      await server.run();
    },
  };
}
