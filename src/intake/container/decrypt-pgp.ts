import { createReadStream, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { Key, PrivateKey } from 'openpgp';
import type { SourceConfig } from '../../config/schema.js';
import { whyUnreadable } from '../../config/values/secret-file.js';
import { OperatorError } from '../../domain/operator-error.js';
import { headOf, isArmored } from '../kind-of-file.js';
import { unreadable } from '../unreadable.js';
import { type UnpackedFile, type UnpackRules, writeUnpacked } from './unpacked-file.js';

type Decryption = NonNullable<SourceConfig['decrypt']>;

/**
 * Decrypts a PGP message, and verifies its signature where the source names the sender's key. Throws OperatorError: of the file, or of
 * the source where its keys can't be used.
 */
export async function decryptPgp(path: string, rules: UnpackRules): Promise<UnpackedFile> {
  const { decrypt, name: source } = rules.source;
  if (decrypt === undefined) {
    throw unreadable(
      path,
      'the file is encrypted with PGP, and its source names no key',
      'Name the key in decrypt of the source, and put the file into the inbox again.',
    );
  }
  // Other sources don't load it.
  const openpgp = await import('openpgp');
  const { decryptionKeys, signers } = await pgpKeys(decrypt, source);
  const stream = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
  try {
    const message = isArmored(await headOf(path))
      ? await openpgp.readMessage({ armoredMessage: stream.pipeThrough(new TextDecoderStream()) })
      : await openpgp.readMessage({ binaryMessage: stream });
    const { data } = await openpgp.decrypt({
      message,
      decryptionKeys,
      ...(signers === null ? {} : { verificationKeys: signers, expectSigned: true }),
      format: 'binary',
      // Nothing of the file counts before its end, where that it is whole and who signed it is known.
      config: { allowUnauthenticatedStream: true },
    });
    const chunks = data as unknown as AsyncIterable<Uint8Array>;
    return { ...(await writeUnpacked(path, chunks, rules, { bytes: 0 })), name: null };
  } catch (error) {
    throw explained(path, error);
  }
}

type OpenPgp = typeof import('openpgp');

/** Reads the keys of a source. Throws OperatorError of the source where one can't be used. */
export async function pgpKeys(decrypt: Decryption, source: string) {
  const openpgp = await import('openpgp');
  const decryptionKeys = await privateKeyOf(decrypt, source, openpgp);
  return { decryptionKeys, signers: await signersOf(decrypt, source, openpgp) };
}

async function privateKeyOf(
  { key, keyFile, passphrase }: Decryption,
  source: string,
  openpgp: OpenPgp,
): Promise<PrivateKey> {
  const bytes = key === undefined ? keyBytes('keyFile', keyFile ?? '', source) : Buffer.from(key);
  const name = key === undefined ? `keyFile ${keyFile}` : 'the key in decrypt.key';
  const missing = (error?: unknown) =>
    keyFault(source, `${name} of source ${source} holds no private PGP key`, error);
  const keys = await readKeys(bytes, openpgp).catch((error) => Promise.reject(missing(error)));
  const privateKey = keys.find((one): one is PrivateKey => one.isPrivate());
  if (privateKey === undefined) throw missing();
  if (privateKey.isDecrypted()) return privateKey;
  return openpgp.decryptKey({ privateKey, passphrase: passphrase ?? '' }).catch((error) => {
    const why = passphrase === undefined ? 'has a passphrase' : 'has another passphrase';
    throw keyFault(source, `${name} of source ${source} ${why}`, error);
  });
}

/** The keys that may have signed a file; null: no signature is needed. */
async function signersOf(
  { verifyWith }: Decryption,
  source: string,
  openpgp: OpenPgp,
): Promise<Key[] | null> {
  if (verifyWith === undefined) return null;
  return readKeys(keyBytes('verifyWith', verifyWith, source), openpgp).catch((error) => {
    throw keyFault(source, `verifyWith ${verifyWith} of source ${source} holds no public PGP key`, error);
  });
}

function keyBytes(setting: string, file: string, source: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw keyFault(
      source,
      `${setting} ${file} of source ${source} can't be read: ${whyUnreadable(error)}`,
      error,
    );
  }
}

/** All keys in a file, armoured or not. */
async function readKeys(bytes: Buffer, openpgp: OpenPgp): Promise<Key[]> {
  return bytes.includes('-----BEGIN PGP')
    ? openpgp.readKeys({ armoredKeys: bytes.toString() })
    : openpgp.readKeys({ binaryKeys: bytes });
}

/** A fault of the source: its files wait until the key can be used. */
function keyFault(source: string, message: string, cause?: unknown): OperatorError {
  return new OperatorError({
    operation: 'decrypt a file',
    subject: source,
    message,
    hint: 'Correct decrypt of the source, or the key; its files wait until then.',
    cause,
  });
}

function explained(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof OperatorError) return error;
  if ('syscall' in error || error.name === 'AbortError') return error;
  const { message } = error;
  if (/not signed/i.test(message)) return notSigned(path);
  if (/sign/i.test(message)) {
    return unreadable(
      path,
      "the file's signature is none of a key in verifyWith",
      'Ask the sender whether they sent it; if their key was replaced, write the new one into verifyWith.',
      error,
    );
  }
  if (/key packets found|session key/i.test(message)) {
    return unreadable(
      path,
      'the file is encrypted for another key than the one of its source',
      'Have the sender encrypt it for the key of the source.',
      error,
    );
  }
  return unreadable(
    path,
    "the file is cut off, damaged or was changed: it can't be decrypted",
    'Transfer it again; if that fails, have the sender encrypt it again.',
    error,
  );
}

/** The refusal of a file whose writer is unproven. */
export function notSigned(path: string) {
  return unreadable(
    path,
    'the file is not signed, and its source imports only files that the keys in verifyWith have signed',
    'Have the sender sign it while encrypting it.',
  );
}
