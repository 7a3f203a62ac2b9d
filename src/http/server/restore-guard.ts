import type { RequestHandler } from 'express';
import { ApiError } from '../../domain/shared/errors';
import type { RouteId } from './route';

/** Routes whose requests may move money (`MoneyUnavailable` in the contract; a test compares both lists). */
export const MONEY_ROUTES = [
  'createCardPayment',
  'createPixPayment',
  'createBilletPayment',
  'capturePayment',
  'cancelPayment',
  'refundPayment',
  'captureUserPayment',
  'cancelUserPayment',
  'refundUserPayment',
  'resolvePayment',
  'createSubscription',
  'resumeSubscription',
  'resumeUserSubscription',
  'changeSubscriptionPlan',
  'changeSubscriptionCard',
  'retrySubscription',
  'retryUserSubscription',
  'payCheckout',
] as const satisfies readonly RouteId[];

const RETRY_AFTER_SECONDS = 30;

/**
 * Refuses requests that may move money while the database is being restored: what they ask for may have been done after the moment to
 * which it is restored.
 */
export function restoreGuard(id: RouteId, isRestoring: () => boolean): RequestHandler[] {
  if (!(MONEY_ROUTES as readonly RouteId[]).includes(id)) return [];
  return [(_req, _res, next) => next(isRestoring() ? restoreInProgress() : undefined)];
}

function restoreInProgress(): ApiError {
  const message = 'The service is being restored from a backup. Send the request again later.';
  return new ApiError('restore_in_progress', message, undefined, RETRY_AFTER_SECONDS);
}
