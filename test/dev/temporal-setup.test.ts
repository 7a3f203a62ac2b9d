import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { setUpTemporal } from '../../src/temporal/setup';
import { readStack } from '../support/stack/stack';

describe('the setup of Temporal', () => {
  it('creates a namespace with 30 days of retention and the search attributes, and can run repeatedly', async () => {
    const connection = await Connection.connect({ address: readStack().temporalAddress });
    const namespace = `setup-${randomUUID()}`;
    await Promise.all([setUpTemporal(connection, namespace), setUpTemporal(connection, namespace)]);
    await setUpTemporal(connection, namespace);

    const { config } = await connection.workflowService.describeNamespace({ namespace });
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 24 * 3600);
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    const KEYWORD = 2;
    const INT = 3;
    expect(customAttributes).toMatchObject({
      CompanyId: KEYWORD,
      PaymentStatus: KEYWORD,
      PaymentMethod: KEYWORD,
      Gateway: KEYWORD,
      MerchantOrderId: KEYWORD,
      AmountCents: INT,
      SubscriptionStatus: KEYWORD,
      WebhookEvent: KEYWORD,
      DeliveryStatus: KEYWORD,
    });
    await connection.close();
  }, 60_000);
});
