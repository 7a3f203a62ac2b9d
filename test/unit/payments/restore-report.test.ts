import { readReportLine } from '../../../src/application/restore/read-report';
import { newTransactionId, requestPartOf } from '../../../src/domain/shared/ids';
import { requestParts } from '../../../src/security/request-part';

const LINE = {
  gateway: 'gateway_1',
  gateway_transaction_id: 'ch_81',
  reference: '01a20d88-716d-753c-b88b-7ec6390319b9-1',
  status: 'approved',
  amount: 12_990,
  captured: 12_990,
  refunded: 0,
  changed_at: '2026-11-24T12:03:11Z',
};

describe('a line of a gateway’s report', () => {
  it('is read with all its fields', () => {
    expect(readReportLine(JSON.stringify(LINE))).toEqual({
      gateway: 'gateway_1',
      gatewayTransactionId: 'ch_81',
      reference: LINE.reference,
      status: 'approved',
      amountCents: 12_990,
      capturedCents: 12_990,
      refundedCents: 0,
      operations: null,
      changedAt: new Date(LINE.changed_at),
    });
  });

  it.each([
    [{ gateway: 'gateway_99' }, 'gateway must be one of'],
    [{ gateway_transaction_id: '' }, 'gateway_transaction_id must be'],
    [{ reference: 7 }, 'reference must be'],
    [{ status: 'paid' }, 'status must be one of'],
    [{ amount: 12.5 }, 'amount must be'],
    [{ refunded: -1 }, 'refunded must be'],
    [{ changed_at: 'yesterday' }, 'changed_at must be'],
  ])('%j is refused by the name of the field', (change, message) => {
    expect(() => readReportLine(JSON.stringify({ ...LINE, ...change }))).toThrow(message);
  });

  it.each(['{', '[]', 'null'])('%s is refused', (line) => {
    expect(() => readReportLine(line)).toThrow('the line is not');
  });
});

describe('the id of a payment', () => {
  const keys = ['k'.repeat(32), 'older'.repeat(8)] as const;

  it('ends in the same digits for the same idempotency key of a company', () => {
    const [part] = requestParts(keys, 1, 'order-1');
    const ids = [newTransactionId(part), newTransactionId(part)];
    expect(ids.map(requestPartOf)).toEqual([part, part]);
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('ends in other digits for another company, key or secret', () => {
    const parts = [
      ...requestParts(keys, 1, 'order-1'),
      ...requestParts(keys, 2, 'order-1'),
      ...requestParts(keys, 1, 'order-2'),
    ];
    expect(new Set(parts).size).toBe(6);
  });
});
