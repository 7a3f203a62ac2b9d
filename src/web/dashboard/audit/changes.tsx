import type { AuditEntry } from './queries';
import { messages } from './messages';

/** What was changed or asked for: by the names of the API, as programs know it. */
export function Changes({ changes }: Pick<AuditEntry, 'changes'>) {
  return Object.entries(changes).map(([name, value]) => (
    <div key={name}>
      <strong>{name}</strong>: {changeWords(value)}
    </div>
  ));
}

function changeWords(value: unknown): string {
  if (typeof value !== 'object' || value === null)
    return value === 'changed' ? messages.changed : plain(value);
  if (!('from' in value) || !('to' in value)) return plain(value);
  return messages.becomes(plain(value.from), plain(value.to));
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
