import fc from 'fast-check';
import { attemptReference } from '../../../src/domain/payments/payment';
import { fromCompactReference, toCompactReference } from '../../../src/gateways/compact-reference';

const references = fc
  .record({
    transactionId: fc.uuid(),
    attempt: fc.integer({ min: 1, max: 35 }),
    operation: fc.constantFrom('charge', 'authorize', 'capture', 'cancel', 'refund' as const),
    nth: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 100_000 })),
  })
  .map(({ transactionId, attempt, operation, nth }) =>
    attemptReference(
      transactionId,
      attempt,
      operation,
      operation === 'charge' || operation === 'authorize' ? 1 : nth,
    ),
  );

describe('the compact form of a reference', () => {
  it('has 26 to 35 lower-case letters and digits, and gives the reference back', () => {
    fc.assert(
      fc.property(references, (reference) => {
        const compact = toCompactReference(reference);
        expect(compact).toMatch(/^[0-9a-z]{26,35}$/);
        expect(fromCompactReference(compact)).toBe(reference);
      }),
    );
  });

  it('is read from nothing else', () => {
    const texts = fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-z]{20,40}$/));
    fc.assert(
      fc.property(texts, (text) => {
        const reference = fromCompactReference(text);
        if (reference !== null) expect(toCompactReference(reference)).toBe(text);
      }),
      {
        examples: [
          ['zzzzzzzzzzzzzzzzzzzzzzzzz1'],
          ['00000000000000000000000001r01'],
          ['0000000000000000000000000arzzzzzz'],
          [''],
        ],
      },
    );
  });

  it.each([
    'order-1001',
    '0b8c1c8e-6f0c-7c1e-9d2f-2f1a6b3c4d5e-36',
    '0b8c1c8e-6f0c-7c1e-9d2f-2f1a6b3c4d5e-0',
  ])('does not exist for %j', (text) => {
    expect(() => toCompactReference(text)).toThrow(RangeError);
  });
});
