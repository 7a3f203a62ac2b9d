import type { SearchAttributeUpdatePair } from '@temporalio/common';
import type { DeliveryInput, DeliveryStep } from '../messages';
import { deliveryStatusKey } from '../search-attributes';

/** The first attempt of a run, in the Temporal UI. */
export const FIRST_DELIVERY = 'attempt 1 of this run';
/** What a delivery waits for, in the Temporal UI. */
export const NEXT_ATTEMPT = 'next attempt';

/**
 * The search attributes of a delivery that ends. Nobody searches for delivered ones, and each upsert is one more event and one more
 * write of Temporal's list.
 */
export function finalAttributes(
  { statusShown }: DeliveryInput,
  { status }: DeliveryStep,
): SearchAttributeUpdatePair[] {
  const isShown = statusShown === undefined || status === 'failed';
  return isShown ? [{ key: deliveryStatusKey, value: status }] : [];
}
