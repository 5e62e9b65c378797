export interface Learner {
  readonly type: string;
  readonly id: string;
}

/** True for identifier types whose identifiers are e-mail addresses, which are compared without case. */
export function isEmailType(type: unknown): boolean {
  return type === 'Email' || type === 'AliasEmail';
}
