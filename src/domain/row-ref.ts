/** Where a row was read. */
export interface RowRef {
  readonly dropId: number;
  readonly line: number;
}
