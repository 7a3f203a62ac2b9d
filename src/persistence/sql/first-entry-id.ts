/** The lowest id of ledger entries posted at an instant: their ids begin with its milliseconds. */
export function firstEntryIdAt(instant: Date): string {
  const hex = instant.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
