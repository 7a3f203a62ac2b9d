import { randomUUID } from 'node:crypto';
import { claimAttempt } from '../../../activities/payments/claim-attempt';
import { inquireAttempt } from '../../../activities/payments/inquire-attempt';
import type { Behavior } from '../../../src/simulator/scripts';
import { newCompany } from '../fixtures/payments';
import type { Engine } from '../stack/engine';
import { waitFor } from '../stack/wait-for';
import { claimNext, type SteppedWorker } from './interleaving';
import { ledgerOf } from './pay';
import { idlePurchase, reloadPurchase, requestsOf, type Purchase } from './purchase';

/**
 * gateway_6 only replays idempotency keys. It settles through the platform's account, for the companies named here: one for
 * each payment, also if these tests run thousands of times in one process, as mutation tests do.
 */
const CLIENTS = Array.from({ length: 5_000 }, () => `client_${randomUUID()}`);

/** The settings of an engine that charges there. */
export const REPLAYING_GATEWAY = { PLATFORM_GATEWAY_COMPANIES: CLIENTS.join(',') };

/** A payment that one worker has claimed at gateway_6; gateway_1 is next. */
export async function claimed(engine: Engine): Promise<{ subject: Purchase; first: SteppedWorker }> {
  const company = await newCompany(engine, ['gateway_1'], CLIENTS.pop());
  const subject = await idlePurchase(engine, company, 'sale', { gateway_first_try: 'gateway_6' });
  return { subject, first: await claimNext(engine, subject) };
}

/** Another worker inquires about the charge, which repeats the request. */
export function repeat({ deps }: Engine, { body }: Purchase, { attemptId }: SteppedWorker) {
  return inquireAttempt(deps, body.transaction_id, attemptId);
}

export function script({ simulator }: Engine, { body }: Purchase, behavior: Behavior): Promise<void> {
  const { transaction_id } = body;
  return simulator.script({ transaction_id, gateway: 'gateway_6', operation: 'charge' }, behavior);
}

export async function untilChargesReceived(engine: Engine, subject: Purchase, count: number): Promise<void> {
  await waitFor(async () => (await requestsOf(engine, subject, 'charge')).length === count);
}

/** What a workflow would do next. */
export async function isAnythingToSend({ deps }: Engine, { company, body }: Purchase): Promise<boolean> {
  const input = { companyId: company.id, transactionId: body.transaction_id };
  return (await claimAttempt(deps, input)).kind !== 'nothing';
}

export async function expectChargedOnce(engine: Engine, subject: Purchase): Promise<void> {
  const { amount } = subject.body;
  expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'approved', attempts: 1 });
  expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: amount, refunded: 0 });
  const requests = await requestsOf(engine, subject, 'charge');
  expect(
    new Set(requests.map(({ gateway, idempotency_key }) => [gateway, idempotency_key].join())),
  ).toHaveProperty('size', 1);
}
