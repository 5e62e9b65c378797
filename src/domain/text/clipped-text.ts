/** The most UTF-16 units that Excel accepts in one cell; it calls a file with more damaged. */
export const LONGEST_CELL = 32_767;

/** The text as a cell of a workbook can hold it: an ellipsis at its end says that there is more. */
export function clippedToCell(text: string): string {
  return text.length <= LONGEST_CELL ? text : `${text.slice(0, LONGEST_CELL - 1)}…`;
}

/** True for a cell with what `clippedToCell` leaves of a text, whatever line ends a spreadsheet has left in it. */
export function isClippedFrom(text: string, cell: string): boolean {
  return text.length > LONGEST_CELL && withLineFeeds(cell) === withLineFeeds(clippedToCell(text));
}

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
