import type { Note } from '../../domain/notes/note';
import type { components } from '../../http/generated/openapi';

export function presentNote({ id, author, text, createdAt }: Note): components['schemas']['Note'] {
  return { id, author, text, created_at: createdAt.toISOString() };
}
