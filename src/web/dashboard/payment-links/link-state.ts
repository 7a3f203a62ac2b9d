import type { Tone } from '../../ui/badge';
import type { PaymentLink } from './queries';

export type LinkState = 'active' | 'off' | 'expired' | 'used_up';

/** Whether the link accepts payments, and if not, why. */
export function linkState(link: PaymentLink, now: Date): LinkState {
  const { is_active: isActive, expires_at: expiry, max_uses: max, uses_count: used } = link;
  if (!isActive) return 'off';
  if (expiry !== null && new Date(expiry) <= now) return 'expired';
  return max !== null && used >= max ? 'used_up' : 'active';
}

export const linkStateTones: Readonly<Record<LinkState, Tone>> = {
  active: 'good',
  off: 'neutral',
  expired: 'waiting',
  used_up: 'waiting',
};
