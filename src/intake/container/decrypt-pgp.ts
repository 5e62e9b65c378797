import { createReadStream, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { Key, PrivateKey } from 'openpgp';
import type { SourceConfig } from '../../config/schema.js';
import { unreadableReason } from '../../config/values/secret-file.js';
import { errorsOf, OperatorError } from '../../domain/operator-error.js';
import { headOf, isArmored } from '../kind-of-file.js';
import { unreadable } from '../unreadable.js';
import { type UnpackedFile, type UnpackRules, writeUnpacked } from './unpacked-file.js';

type Decryption = NonNullable<SourceConfig['decrypt']>;

/** Decrypts a PGP message, and verifies its signature where the source names the sender's key. */
export async function decryptPgp(path: string, rules: UnpackRules): Promise<UnpackedFile> {
  const { decrypt, name: source } = rules.source;
  if (decrypt === undefined) throw unreadable(path, 'pgp-without-key');
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

/** Reads the keys of a source. Throws OperatorError of the source, whose files wait, where one can't be used. */
export async function pgpKeys({ key, keyFile = '', passphrase, verifyWith }: Decryption, source: string) {
  const openpgp = await import('openpgp');
  const hint = 'Correct decrypt of the source, or the key; its files wait until then.';
  const fault = (name: string, what: string, cause?: unknown) =>
    errorsOf('decrypt a file')(source, `${name} of source ${source} ${what}`, hint, { cause });
  /** All keys of a setting, armoured or not. */
  const keysOf = async (name: string, kind: string, read: () => Buffer): Promise<Key[]> => {
    let bytes: Buffer;
    try {
      bytes = read();
    } catch (error) {
      throw fault(name, `can't be read: ${unreadableReason(error)}`, error);
    }
    const keys = bytes.includes('-----BEGIN PGP')
      ? openpgp.readKeys({ armoredKeys: bytes.toString() })
      : openpgp.readKeys({ binaryKeys: bytes });
    return keys.catch((error) => Promise.reject(fault(name, `holds no ${kind} PGP key`, error)));
  };
  const name = key === undefined ? `keyFile ${keyFile}` : 'the key in decrypt.key';
  const keys = await keysOf(name, 'private', () => (key ? Buffer.from(key) : readFileSync(keyFile)));
  const privateKey = keys.find((one): one is PrivateKey => one.isPrivate());
  if (privateKey === undefined) throw fault(name, 'holds no private PGP key');
  const why = passphrase === undefined ? 'has a passphrase' : 'has another passphrase';
  const decryptionKeys = privateKey.isDecrypted()
    ? privateKey
    : await openpgp
        .decryptKey({ privateKey, passphrase: passphrase ?? '' })
        .catch((error) => Promise.reject(fault(name, why, error)));
  const signers =
    verifyWith === undefined
      ? null
      : await keysOf(`verifyWith ${verifyWith}`, 'public', () => readFileSync(verifyWith));
  return { decryptionKeys, signers };
}

function explained(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof OperatorError) return error;
  if ('syscall' in error || error.name === 'AbortError') return error;
  const { message } = error;
  if (/not signed/i.test(message)) return unreadable(path, 'pgp-unsigned');
  if (/sign/i.test(message)) return unreadable(path, 'pgp-signature', {}, error);
  if (/key packets found|session key/i.test(message)) return unreadable(path, 'pgp-other-key', {}, error);
  return unreadable(path, 'pgp-damaged', {}, error);
}
