/** Most characters of a sheet's name (Excel's specifications and limits). */
const LONGEST_NAME = 31;

/**
 * Returns a function that gives each sheet a name that Excel accepts and that differs from all others of the workbook, case
 * ignored.
 */
export function sheetNames(): (wanted: string) => string {
  const taken = new Set<string>();
  return (wanted) => {
    const plain = wanted
      .replace(/[\\/?*[\]:]/g, ' ')
      .replace(/^'+|'+$/g, '')
      .trim();
    for (let number = 1; ; number += 1) {
      const end = number === 1 ? '' : ` (${number})`;
      const name = `${plain.slice(0, LONGEST_NAME - end.length).trim()}${end}`;
      if (taken.has(name.toLowerCase())) continue;
      taken.add(name.toLowerCase());
      return name;
    }
  };
}
