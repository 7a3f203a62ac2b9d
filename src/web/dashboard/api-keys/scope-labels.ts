import { messages } from './messages';
import type { Scope } from './queries';

/** What a key with these scopes may do, in words. */
export function scopesText(scopes: readonly Scope[]): string {
  if (scopes.includes('read') && scopes.includes('write')) return messages.everything;
  return scopes.map((scope) => messages.scopes[scope]).join(' · ');
}
