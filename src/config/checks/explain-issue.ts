import { suggestion } from '../did-you-mean.js';
import { mapIn, schemaAt } from '../json-schema.js';
import { MISSING } from '../schema/value-schemas.js';
import type { z } from '../zod.js';
import type { Mistake, Path } from './mistake.js';

type Issue = z.core.$ZodIssue;

/** The schema's objection to a configuration, in words: the allowed values, and the one that was probably meant. */
export function explainIssue(issue: Issue, value: unknown): readonly Mistake[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'unrecognized_keys') {
    const at = schemaAt(path);
    const keys = Object.keys((at && mapIn(at))?.properties ?? {});
    return issue.keys.map((key) => ({
      path: [...path, key],
      text: `is not known here${suggestion(key, keys)}`,
    }));
  }
  const input = valueAt(value, path);
  if (input === undefined) {
    const isRule = issue.code === 'custom' && issue.message !== MISSING;
    return [{ path, text: isRule ? issue.message : `is missing: ${wanted(path)}` }];
  }
  if (input === null) {
    const text = 'is empty; write a value or remove the key (a value that begins with # needs quotes)';
    return [{ path, text }];
  }
  if (issue.code === 'invalid_union') {
    // The objections under the form that the value has.
    const branch = issue.errors.find(
      (issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
    );
    if (branch !== undefined)
      return branch.flatMap((one) => explainIssue({ ...one, path: [...issue.path, ...one.path] }, value));
  }
  const { writeOnly = false, title } = schemaAt(path) ?? {};
  // What is before @ or behind ? in an address may be a secret.
  const isSecret = writeOnly || (title === 'address' && /[@?#]/.test(String(input)));
  return [{ path, text: sentence(issue, path, input), showValue: typeof input !== 'object' && !isSecret }];
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((node, part) => {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, part)) return undefined;
    return (node as Record<string | number, unknown>)[part];
  }, value);
}

function sentence(issue: Issue, path: Path, input: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeSentence(issue.expected, path, input);
    case 'invalid_value':
      return `is not known here${suggestion(String(input), choices(path))}`;
    case 'too_small':
      if (issue.origin === 'array') return `must have at least ${issue.minimum} entry`;
      return issue.origin === 'string' ? 'is empty' : `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    case 'invalid_key':
      return issue.issues[0]?.message ?? issue.message;
    case 'invalid_union':
      return `must be a ${schemaAt(path)?.title ?? 'text or a map'}`;
    default:
      return issue.message;
  }
}

function typeSentence(expected: string, path: Path, input: unknown): string {
  if (expected === 'object' || expected === 'record')
    return 'must be a map: keys with values, below it or in { }';
  if (expected === 'array') return 'must be a list: entries that begin with "- ", or are in [ ]';
  if (expected === 'boolean') return 'must be true or false, without quotes';
  if (expected !== 'string') return 'must be a whole number, without quotes';
  if (typeof input === 'object') return `must be text, not a ${Array.isArray(input) ? 'list' : 'map'}`;
  if (schemaAt(path)?.title === 'length of time') return 'has no unit; write 30s, 15m, 12h or 7d';
  return `is a ${typeof input === 'number' ? 'number' : 'truth value'} to YAML, not text; put it in quotes`;
}

function wanted(path: Path): string {
  const allowed = choices(path);
  return `${schemaAt(path)?.description ?? 'it is required'}${allowed.length > 0 ? ` (${allowed.join(', ')})` : ''}`;
}

/** A tab and a blank can't be seen without quotes. */
function choices(path: Path): readonly string[] {
  const allowed = schemaAt(path)?.enum ?? [];
  return allowed.map((choice) => (/^[\w-]+$/.test(choice) ? choice : JSON.stringify(choice)));
}
