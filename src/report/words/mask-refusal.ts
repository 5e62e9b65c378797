import { OPERATIONS } from '../../operations/registry.js';
import { maskAddresses, maskText } from './mask.js';

/**
 * Masks the sentence about a file that was set aside. It quotes the line that should have been the header, which in a
 * file without one is somebody's row: what is quoted stays only where it is a header that Registrar knows.
 */
export function maskRefusal(sentence: string): string {
  const pieces = sentence.split('"').map((piece, index, all) => {
    const isQuoted = index % 2 === 1 && index < all.length - 1;
    // A quote within a quoted value turns inside and outside round; what joins two values begins otherwise.
    const isJoining = !isQuoted && (index === 0 || index === all.length - 1 || /^[\s,;:.?)]/.test(piece));
    return isJoining || KNOWN_HEADERS.has(piece.toLowerCase().trim()) ? piece : maskText(piece);
  });
  return maskAddresses(pieces.join('"'));
}

const KNOWN_HEADERS: ReadonlySet<string> = new Set(
  OPERATIONS.flatMap(({ fields }) => fields.flatMap(({ name, aliases }) => [name, ...aliases])),
);
