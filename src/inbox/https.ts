import { resolve } from 'node:path';
import { httpsFileName } from '../config/values/https-file-name.js';
import { isoFromMs } from '../domain/clock.js';
import type { FetchedFile } from '../ledger/drops/record-inbox.js';
import type { Connections } from '../platform/dispatcher.js';
import { VERSION } from '../version.js';
import type { HttpsInbox, RemoteAddress } from './remote-inbox.js';
import {
  awayHint,
  type RemoteFault,
  type RemoteFile,
  type RemotePlace,
  reasonOf,
  sourceFault,
} from './remote-place.js';

type HttpsSource = RemoteAddress & { readonly https: HttpsInbox };

/** After so long without data, the server counts as away. */
const SILENT_MS = 60_000;

type Answer = Awaited<ReturnType<ReturnType<Connections['to']>['request']>>;

/** Listing requests the file, unless it is the version that was fetched last; its bytes follow when it is read. */
export async function openHttps(
  remote: HttpsSource,
  root: string,
  signal: AbortSignal,
): Promise<RemotePlace> {
  const { source, https } = remote;
  const name = httpsFileName(https.url, https.file) ?? '';
  const url = new URL(https.url);
  // Other sources don't load what speaks to servers.
  const { createConnections } = await import('../platform/dispatcher.js');
  const { caFile } = https;
  const connections = createConnections(
    { headersTimeout: SILENT_MS, bodyTimeout: SILENT_MS },
    caFile === undefined ? {} : { caFile: resolve(root, caFile) },
  );
  let answer: Answer | null = null;
  let current: RemoteFile | null = null;
  const ask = async (earlier: FetchedFile | undefined): Promise<Answer> => {
    try {
      return await connections.to(url).request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'GET',
        headers: { ...headersOf(https), ...conditionOf(earlier) },
        signal,
      });
    } catch (error) {
      throw awayFault(remote, url.host, error);
    }
  };
  return {
    // The ETag shows whether a file has changed; a generated response may have a new date each time.
    get isWhole() {
      return !current?.version?.startsWith(ETAG);
    },
    folder: null,
    async list(fetched) {
      const earlier = fetched.findLast((one) => one.name === name);
      // A look before this one has left it unread.
      void answer?.body.dump();
      answer = await ask(earlier);
      const { statusCode, headers } = answer;
      if (statusCode === 204) current = null;
      else if (statusCode === 200) current = fileOf(name, headers);
      else if (statusCode === 304 && earlier !== undefined)
        current = { name, version: earlier.version, sizeBytes: null, modifiedAt: modifiedAt(headers) };
      else throw statusFault(remote, url.host, answer);
      return current === null ? [] : [current];
    },
    async stat() {
      return current;
    },
    async *read() {
      let bytes = 0;
      try {
        for await (const chunk of answer?.body ?? []) {
          bytes += chunk.length;
          yield chunk;
          // The server may not say how much it sends; one byte more than allowed is enough to be noticed.
          if (bytes > source.largestFileBytes) return;
        }
      } catch (error) {
        throw awayFault(remote, url.host, error);
      }
    },
    close: () => void connections.close(),
  };
}

function headersOf({ user, password, token }: HttpsInbox): Record<string, string> {
  const basic = Buffer.from(`${user ?? ''}:${password ?? ''}`).toString('base64');
  return {
    'user-agent': `registrar/${VERSION}`,
    'accept-encoding': 'identity',
    ...(token !== undefined ? { authorization: `Bearer ${token}` } : {}),
    ...(user !== undefined ? { authorization: `Basic ${basic}` } : {}),
  };
}

const ETAG = 'etag ';
const MODIFIED = 'modified ';

function conditionOf(earlier: FetchedFile | undefined): Record<string, string> {
  const { version = '' } = earlier ?? {};
  if (version.startsWith(ETAG)) return { 'if-none-match': version.slice(ETAG.length) };
  return version.startsWith(MODIFIED) ? { 'if-modified-since': version.slice(MODIFIED.length) } : {};
}

function fileOf(name: string, headers: Answer['headers']): RemoteFile {
  const { etag, 'last-modified': modified, 'content-length': length } = headers;
  return {
    name,
    version:
      typeof etag === 'string' ? ETAG + etag : typeof modified === 'string' ? MODIFIED + modified : null,
    sizeBytes: typeof length === 'string' ? Number(length) : null,
    modifiedAt: modifiedAt(headers),
  };
}

function modifiedAt({ 'last-modified': modified, date }: Answer['headers']): string {
  const ms = Date.parse(String(modified ?? date ?? ''));
  return isoFromMs(Number.isNaN(ms) ? 0 : ms);
}

const FETCH = 'fetch a file';

function awayFault({ source }: HttpsSource, host: string, error: unknown): RemoteFault {
  const message = `the server ${host} of source ${source.name} can't be reached: ${reasonOf(error)}`;
  return sourceFault(source, FETCH, message, awayHint(source), 'io', error);
}

/** Where the server leads to isn't shown whole: an address may hold a secret. */
function statusFault({ source }: HttpsSource, host: string, { statusCode, headers }: Answer): RemoteFault {
  const says = `${host} answers source ${source.name} with HTTP ${statusCode}`;
  if (statusCode === 401 || statusCode === 403) {
    const hint = 'Correct token, or user and password, or have the account given the right to read the file.';
    return sourceFault(source, FETCH, `${says}: it doesn't accept the account`, hint, 'unavailable');
  }
  if (statusCode >= 300 && statusCode < 400) {
    const to = URL.canParse(String(headers.location), `https://${host}`)
      ? ` to ${new URL(String(headers.location), `https://${host}`).host}`
      : '';
    const hint = 'If you trust the address that it leads to, write it into url.';
    return sourceFault(source, FETCH, `${says}, a redirect${to}, which is not followed`, hint);
  }
  const why = statusCode === 404 || statusCode === 410 ? ': there is no such file' : '';
  const hint = 'Registrar tries again by itself. If url is wrong, correct it.';
  return sourceFault(source, FETCH, says + why, hint, 'io');
}
