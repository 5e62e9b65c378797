/**
 * Columns padded to their widest cell, two spaces between; numbers to the right. The last column wraps nowhere:
 * terminals do that better.
 */
export function textTable(
  header: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => String(row[column] ?? '').length)),
  );
  const isNumeric = header.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  const line = (cells: readonly (string | number)[]) =>
    cells
      .map((cell, column) => {
        const width = column === cells.length - 1 && !isNumeric[column] ? 0 : (widths[column] ?? 0);
        return isNumeric[column] ? String(cell).padStart(width) : String(cell).padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return [line(header), ...rows.map(line)].join('\n');
}
