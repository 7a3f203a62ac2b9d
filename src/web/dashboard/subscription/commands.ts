import { unwrapBody, api } from '../../api/client';
import type { Subscription } from './queries';

export const COMMANDS = ['retry', 'resume', 'pause', 'uncancel', 'cancel'] as const;
export type Command = (typeof COMMANDS)[number];

/** Commands that the subscription's status allows; the API makes the final decision. */
export function allowedCommands(subscription: Subscription): readonly Command[] {
  return COMMANDS.filter((command) => isAllowed(command, subscription));
}

function isAllowed(command: Command, subscription: Subscription): boolean {
  const { status, dunning, cancel_at_period_end: ends, pending_action: pending } = subscription;
  if (pending !== null) return false;
  switch (command) {
    case 'retry':
      return dunning !== null && status !== 'paused' && status !== 'canceled';
    case 'resume':
      return status === 'paused';
    case 'pause':
      return status === 'active';
    case 'uncancel':
      return ends && canEndWithPeriod(subscription);
    case 'cancel':
      return status !== 'canceled';
  }
}

/** True when the subscription can be canceled at the end of its period. */
export function canEndWithPeriod({ status }: Subscription): boolean {
  return status === 'trialing' || status === 'active';
}

export interface CommandRequest {
  readonly paused_until?: string;
  readonly at_period_end?: boolean;
}

/** Returns the updated subscription; `pending_action` is set while the command waits for a charge in progress. */
export async function sendCommand(
  command: Command,
  uuid: string,
  { paused_until, at_period_end = false }: CommandRequest,
  key: string,
): Promise<Subscription> {
  const params = { path: { uuid }, header: { 'Idempotency-Key': key } };
  return (await send()).data;

  function send() {
    switch (command) {
      case 'pause':
        return unwrapBody(api.PATCH('/user/subscriptions/{uuid}/pause', { params, body: { paused_until } }));
      case 'resume':
        return unwrapBody(api.PATCH('/user/subscriptions/{uuid}/resume', { params }));
      case 'cancel':
        return unwrapBody(
          api.PATCH('/user/subscriptions/{uuid}/cancel', { params, body: { at_period_end } }),
        );
      case 'uncancel':
        return unwrapBody(api.PATCH('/user/subscriptions/{uuid}/uncancel', { params }));
      case 'retry':
        return unwrapBody(api.POST('/user/subscriptions/{uuid}/retry', { params }));
    }
  }
}
