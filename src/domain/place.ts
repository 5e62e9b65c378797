/** Where a row was read. */
export interface Place {
  readonly dropId: number;
  readonly line: number;
}
