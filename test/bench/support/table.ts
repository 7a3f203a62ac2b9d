/** The lines of a text table with a rule below the header. The first column is left-aligned, the others are right-aligned. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const lines = rows.map((row) =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? '';
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
  const rule = '-'.repeat(widths.reduce((total, width) => total + width + 2, -2));
  return [lines[0] ?? '', rule, ...lines.slice(1)];
}
