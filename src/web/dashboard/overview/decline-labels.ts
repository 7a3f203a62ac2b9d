import { language } from '../../ui/language';
import { PORTUGUESE_DECLINES } from './portuguese-declines';

/** The meaning of a decline code; null if the gateway gave none. */
export function declineLabel({ message }: { readonly message: string }): string | null {
  if (message === '') return null;
  return language === 'en'
    ? message
    : (PORTUGUESE_DECLINES[message] ?? PORTUGUESE_DECLINES['declined'] ?? null);
}
