import { createHash, randomUUID } from 'node:crypto';
import type { AuditActor } from '../../domain/companies/audit-actor';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type { CreatePayment, CreatePaymentCommand } from '../payments/create-payment';
import type { PaymentAnswer } from '../payments/payment-answer';
import type { PaymentRequest } from '../payments/payment-request';

export interface MakeTestPaymentDeps {
  readonly createPayment: Pick<CreatePayment, 'execute'>;
  readonly audit: AuditRepository;
}

type TestPaymentCommand = Pick<CreatePaymentCommand, 'company' | 'path' | 'idempotencyKey' | 'receivedAt'>;

/**
 * Makes the payment of a company's first steps as any other payment of its test data: by its routing rules, once for each
 * idempotency key.
 *
 * @throws ApiError as `CreatePayment.execute`
 */
export async function makeTestPayment(
  { createPayment, audit }: MakeTestPaymentDeps,
  actor: AuditActor,
  command: TestPaymentCommand,
): Promise<PaymentAnswer> {
  return createPayment.execute({
    ...command,
    request: testPayment(orderOf(command.idempotencyKey)),
    recordInsert: async (tx, transactionId) => {
      await audit.insert(tx, {
        ...actor,
        action: 'payment.create_test',
        subjectType: 'payment',
        subjectId: transactionId,
        changes: {},
      });
    },
  });
}

/** The same for the same key, because a repeated request must be the same request. */
function orderOf(idempotencyKey: string | null): string {
  const hash = createHash('sha256')
    .update(idempotencyKey ?? randomUUID())
    .digest('hex');
  return `test-${hash.slice(0, 12)}`;
}

/** With everything that a gateway may insist on. */
function testPayment(order: string): PaymentRequest {
  const address = {
    street: 'Avenida Paulista',
    number: '1000',
    neighborhood: 'Bela Vista',
    city: 'São Paulo',
    state: 'SP',
    zip_code: '01310-100',
    country: 'BR',
  };
  const buyer = { name: 'Test Buyer', email: 'test.buyer@example.com', document: '52998224725' };
  return {
    merchant_order_id: order,
    amount: 1_990,
    currency: 'BRL',
    payment_method: 'card',
    customer: { ...buyer, phone: '+5511999990000', address },
    capture: true,
    save_card: false,
    initiator: 'customer',
    installments: 1,
    description: 'Test payment',
    card: {
      number: '4111111111111111',
      holder_name: 'TEST BUYER',
      expire_month: 12,
      expire_year: 2035,
      cvv: '123',
    },
    billing_address: address,
  };
}
