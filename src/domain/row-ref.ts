export interface RowRef {
  readonly dropId: number;
  readonly line: number;
}
