import { NO_PURCHASE_DETAILS } from '../../../src/domain/shared/purchase-details';
import { customerSnapshot } from '../../../src/domain/customers/customer';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { createAppContext, type AppContext } from '../../../src/composition/app-context';
import { createApiApp } from '../../../src/composition/api';
import type { Config } from '../../../src/config';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { newAttemptId, newTransactionId } from '../../../src/domain/shared/ids';
import { attemptReference } from '../../../src/domain/payments/payment';
import { SIGNATURE_HEADER, signCallback } from '../../../src/gateways/simulator/callback-signature';
import { closeHttpServer, createHttpServer } from '../../../src/http/server/server';
import { createLogger } from '../../../src/log';
import type { PaymentRecord } from '../../../src/persistence/payments/payment-repository';
import { encryptionContext } from '../../../src/security/encryption-context';
import { createTestDatabase, testConfig } from '../../support/stack/test-config';
import { apiClient, type ApiClient } from '../support/api-client';
import { checkResponses } from '../support/check-answers';
import { requestValidation } from '../support/contract';

/** The service’s API without a worker, so that stored callbacks stay unprocessed. */
export interface CallbackApi {
  readonly config: Config;
  readonly context: AppContext;
  readonly baseUrl: string;
  readonly client: ApiClient;
  readonly logText: () => string;
  stop(): Promise<void>;
}

export async function startCallbackApi(
  settings: Record<string, string> = {},
  databaseUrl?: string,
  change: (config: Config) => Config = (config) => config,
): Promise<CallbackApi> {
  const config = change(testConfig(settings, databaseUrl ?? (await createTestDatabase())));
  const context = createAppContext(config);
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const logger = createLogger({ level: 'debug', process: 'api', destination });
  const app = createApiApp(config, context, { logger, requestValidation });
  const server = createHttpServer(checkResponses(app));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    config,
    context,
    baseUrl,
    client: apiClient(baseUrl),
    logText: () => lines.join(''),
    stop: async () => {
      await closeHttpServer(server, 0);
      await Promise.all([context.temporal.connection.close(), context.db.close()]);
    },
  };
}

/** A payment whose charge was sent to the gateway and has no answer yet. */
export async function sentPayment(
  { context }: Pick<CallbackApi, 'context'>,
  company: AuthenticatedCompany,
  gateway: GatewaySlug = 'gateway_1',
): Promise<{ payment: PaymentRecord; reference: string; refundReference: string }> {
  const now = new Date();
  const customer = {
    name: 'Maria Souza',
    email: 'maria@example.com',
    document: '39053344705',
    phone: null,
    address: null,
    metadata: null,
  };
  return context.db.inTransaction(async (tx) => {
    const saved = await context.customers.upsert(tx, company.id, customer);
    const payment = await context.payments.insert(
      tx,
      {
        transactionId: newTransactionId(),
        companyId: company.id,
        merchantOrderId: 'order-1001',
        idempotencyKey: null,
        amountCents: 1_990,
        currency: 'BRL',
        paymentMethod: 'pix',
        status: 'processing',
        message: 'processing',
        capture: true,
        installments: 1,
        softDescriptor: null,
        metadata: null,
        splits: null,
        gatewayFirstTry: null,
        customerId: saved.id,
        customer: customerSnapshot(saved),
        customerKey: saved.key,
        card: null,
        cardFingerprint: null,
        saveCard: false,
        billingAddress: null,
        purchase: NO_PURCHASE_DETAILS,
        vaultCardId: null,
        attempts: 1,
        initiation: { initiator: 'customer', reason: 'one_off' },
        requestedAt: now,
      },
      now,
    );
    const charge = {
      id: newAttemptId(),
      paymentId: payment.id,
      companyId: company.id,
      attempt: 1,
      operation: 'charge' as const,
      gatewaySlug: gateway,
      reference: attemptReference(payment.transactionId, 1, 'charge'),
      status: 'sent' as const,
      amountCents: payment.amountCents,
    };
    const refund = {
      ...charge,
      id: newAttemptId(),
      operation: 'refund' as const,
      reference: attemptReference(payment.transactionId, 1, 'refund'),
      targetAttemptId: charge.id,
    };
    await context.attempts.insert(tx, charge);
    await context.attempts.insert(tx, refund);
    return { payment, reference: charge.reference, refundReference: refund.reference };
  });
}

/** A callback in the simulator’s format. */
export function callbackBody(reference: string, change: object = {}): Record<string, unknown> {
  return {
    id: `evt_${randomUUID()}`,
    kind: 'approved',
    charge_id: 'ch_1',
    reference,
    amount: 1_990,
    paid_amount: 1_990,
    created_at: new Date().toISOString(),
    ...change,
  };
}

/** Headers with a signature of the body; default: the sandbox’s own secret for the gateway. */
export function signed(
  body: object,
  secret = 'whsec_sandbox_gateway_1',
  at = new Date(),
): Record<string, string> {
  return { [SIGNATURE_HEADER]: signCallback(Buffer.from(JSON.stringify(body)), secret, at) };
}

/** Makes the gateway sign the company’s callbacks with a secret of the company. */
export async function bringSecret(
  { context }: Pick<CallbackApi, 'context'>,
  company: AuthenticatedCompany,
  gateway: GatewaySlug,
  secret: string,
): Promise<void> {
  const sealed = await context.envelope.seal(secret, encryptionContext.webhookSecret(company.id, gateway));
  await context.db.query(
    `UPDATE gateway_accounts a SET sealed_webhook_secret = $3 FROM gateway_credentials c
      WHERE c.account_id = a.id AND c.company_id = $1 AND c.gateway_slug = $2`,
    [company.id, gateway, JSON.stringify(sealed)],
  );
}

interface StoredCallback {
  readonly eventId: string;
  readonly kind: string;
  readonly body: Buffer;
  readonly headers: Record<string, string>;
  readonly trusted: boolean;
  readonly operation: string;
}

export async function storedCallbacks(
  { context }: Pick<CallbackApi, 'context'>,
  payment: PaymentRecord,
): Promise<StoredCallback[]> {
  return context.db.query<StoredCallback>(
    `SELECT c.event_id AS "eventId", c.kind, c.raw_body AS body, c.headers, c.trusted, a.operation
     FROM gateway_callbacks c JOIN gateway_attempts a ON a.id = c.attempt_id
     WHERE c.payment_id = $1 AND c.company_id = $2 ORDER BY c.id`,
    [payment.id, payment.companyId],
  );
}

/** Number of signals that the payment’s workflow received; 0 if it does not exist. */
export async function wakesOf(
  { context }: Pick<CallbackApi, 'context'>,
  payment: PaymentRecord,
): Promise<number> {
  try {
    const handle = context.temporal.workflow.getHandle(`payment/${payment.transactionId}`);
    // Unlike fetching the history, this throws a specific error for an unknown workflow.
    await handle.describe();
    const { events = [] } = await handle.fetchHistory();
    return (events ?? []).filter(
      ({ workflowExecutionSignaledEventAttributes: signal }) => signal?.signalName === 'wake',
    ).length;
  } catch (error) {
    if (error instanceof Error && error.name === 'WorkflowNotFoundError') return 0;
    throw error;
  }
}
