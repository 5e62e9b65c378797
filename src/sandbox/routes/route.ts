import { isObject } from '../../domain/text/is-object.js';
import type { Refusal } from '../answer.js';
import type { SandboxWorld } from '../world.js';

/** One call that has passed token, scope and quota, and whose body is JSON. */
interface RouteCall {
  /** The parts of the path that the pattern captured, percent-decoded. */
  readonly parameters: readonly string[];
  readonly body: unknown;
  readonly nowMs: number;
}

/** The result of a call. */
interface Done {
  readonly status: number;
  /** null: no body. */
  readonly data: unknown;
  /** Which write of the same thing it was; absent: the first. */
  readonly writes?: number;
}

/** One endpoint of the sandbox. */
export interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  /** The scope its token must hold (specification §5.3). */
  readonly scope: string;
  /** A request needs no body. */
  readonly bare?: true;
  perform(call: RouteCall, world: SandboxWorld): Done | Refusal;
}

export function attributesOf(body: unknown): Readonly<Record<string, unknown>> | null {
  const attributes = member(member(body, 'data'), 'attributes');
  return isObject(attributes) ? attributes : null;
}

/** undefined where the text is not JSON, which has no such value. */
export function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** The member of a value by its name; undefined where there is none, or the value is no object. */
export function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
