import type { AuditEntry } from './queries';
import { messages } from './messages';

/** Changed fields and parameters, by their API names. */
export function Changes({ changes }: Pick<AuditEntry, 'changes'>) {
  return Object.entries(changes).map(([name, value]) => (
    <div key={name}>
      <strong>{name}</strong>: {changeText(value)}
    </div>
  ));
}

function changeText(value: unknown): string {
  if (typeof value !== 'object' || value === null)
    return value === 'changed' ? messages.changed : plainText(value);
  if (!('from' in value) || !('to' in value)) return plainText(value);
  return messages.fromTo(plainText(value.from), plainText(value.to));
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
