import { answerOf, api } from '../../api/client';
import type { Subscription } from './queries';

export const COMMANDS = ['retry', 'resume', 'pause', 'uncancel', 'cancel'] as const;
export type Command = (typeof COMMANDS)[number];

/** What may be asked of it as far as this page can tell; the service has the last word. */
export function possibleCommands(subscription: Subscription): readonly Command[] {
  return COMMANDS.filter((command) => isPossible(command, subscription));
}

function isPossible(command: Command, subscription: Subscription): boolean {
  const { status, dunning, cancel_at_period_end: ends, pending_action: asked } = subscription;
  if (asked !== null) return false;
  switch (command) {
    case 'retry':
      return dunning !== null && status !== 'paused' && status !== 'canceled';
    case 'resume':
      return status === 'paused';
    case 'pause':
      return status === 'active';
    case 'uncancel':
      return ends && canEndLater(subscription);
    case 'cancel':
      return status !== 'canceled';
  }
}

/** Whether it can be let run until its period is over. */
export function canEndLater({ status }: Subscription): boolean {
  return status === 'trialing' || status === 'active';
}

export interface CommandRequest {
  readonly paused_until?: string;
  readonly at_period_end?: boolean;
}

/** The subscription afterwards; `pending_action` tells that a charge under way is waited for. */
export async function command(
  what: Command,
  uuid: string,
  { paused_until, at_period_end = false }: CommandRequest,
  key: string,
): Promise<Subscription> {
  const params = { path: { uuid }, header: { 'Idempotency-Key': key } };
  return (await send()).data;

  function send() {
    switch (what) {
      case 'pause':
        return answerOf(api.PATCH('/user/subscriptions/{uuid}/pause', { params, body: { paused_until } }));
      case 'resume':
        return answerOf(api.PATCH('/user/subscriptions/{uuid}/resume', { params }));
      case 'cancel':
        return answerOf(api.PATCH('/user/subscriptions/{uuid}/cancel', { params, body: { at_period_end } }));
      case 'uncancel':
        return answerOf(api.PATCH('/user/subscriptions/{uuid}/uncancel', { params }));
      case 'retry':
        return answerOf(api.POST('/user/subscriptions/{uuid}/retry', { params }));
    }
  }
}
