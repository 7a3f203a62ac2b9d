import { randomUUID } from 'node:crypto';
import type { OperationRequest } from '../../src/application/plan-operation';
import type { SplitRequest } from '../../src/application/payment-request';
import { saveGateways } from '../../src/application/save-gateways';
import { composeCompanies } from '../../src/compose-companies';
import type { AuthenticatedCompany } from '../../src/domain/company';
import type { GatewaySlug } from '../../src/domain/gateway-slug';
import type { PaymentOperation } from '../../src/domain/payment-operation';
import type { components } from '../../src/http/generated/openapi';
import { presentPayment, type PaymentBody } from '../../src/presenters/payment';
import { individual } from '../domain/subaccount-fixtures';
import type { Engine } from './engine';
import { ledgerOf, type Paid } from './pay';

type SubAccount = components['schemas']['SubAccount'];

/** A sub-account of the company at a gateway, as `POST /sub-accounts` makes it. */
export async function newSubAccount(
  { config, parts }: Engine,
  company: AuthenticatedCompany,
  slug: GatewaySlug = 'gateway_1',
  document = '52998224725',
): Promise<SubAccount> {
  const { answer } = await composeCompanies(config, parts).createSubAccount.execute({
    company,
    slug,
    idempotencyKey: null,
    information: individual({ name: randomUUID(), document }),
    receivedAt: new Date(),
  });
  return (answer as { data: SubAccount }).data;
}

/** An active one's `recipient_id`. */
export async function newRecipient(
  engine: Engine,
  company: AuthenticatedCompany,
  slug?: GatewaySlug,
): Promise<string> {
  const { recipient_id: id } = await newSubAccount(engine, company, slug);
  if (id === null) throw new Error('the gateway made no recipient');
  return id;
}

/** Gives the company a sub-account for its credential at gateway_1, and returns the `recipient_id`. */
export async function saveAsSubAccount(
  { config, parts }: Engine,
  company: AuthenticatedCompany,
): Promise<string> {
  const item = {
    gateway_slug: 'gateway_1',
    secret_key: 'unused',
    use_as_subaccount: true,
    subaccount_information: individual(),
  };
  const { gateways } = composeCompanies(config, parts);
  await saveGateways(gateways, { company, items: [item], receivedAt: new Date() });
  const [credential] = await parts.gateways.loadRoutableGateways(company.id, []);
  if (!credential?.subAccount) throw new Error('the sub-account is not active');
  return credential.subAccount.recipientId;
}

export function percentage(
  recipient_id: string,
  amount: number,
  change: Partial<SplitRequest> = {},
): SplitRequest {
  return { recipient_id, type: 'percentage', amount, ...change };
}

export function flat(recipient_id: string, amount: number): SplitRequest {
  return { recipient_id, type: 'flat', amount };
}

/** What each recipient of a payment holds by the gateway's own books, in cents, refunds taken off. */
export async function sharesOf(
  engine: Engine,
  { body }: Pick<Paid, 'body'>,
): Promise<Record<string, number>> {
  await ledgerOf(engine, body);
  const { entries } = await engine.simulator.ledger(body.transaction_id);
  const shares: Record<string, number> = {};
  for (const { kind, amount, recipient_id: id } of entries) {
    if (id === undefined) continue;
    shares[id] = (shares[id] ?? 0) + (kind === 'refunded' ? -amount : amount);
  }
  return shares;
}

/** Captures, cancels or refunds a payment as the routes do, and returns it as it stands then. */
export async function operate(
  { payments }: Engine,
  company: AuthenticatedCompany,
  { body: { transaction_id: id } }: Pick<Paid, 'body'>,
  operation: PaymentOperation,
  request: OperationRequest = {},
): Promise<Pick<Paid, 'body'>> {
  const answer = await payments.operatePayment.execute({
    company,
    operation,
    id,
    idempotencyKey: randomUUID(),
    request,
    receivedAt: new Date(),
  });
  if (answer.kind === 'recorded') return { body: answer.body as PaymentBody };
  const { payment, attempts } = answer.payment;
  return { body: presentPayment(payment, attempts, []) };
}
