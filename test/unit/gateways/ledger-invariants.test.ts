import { Ledger, post, type LedgerEntry, type Posting } from '../../../src/simulator/ledger';
import { ledgerViolations } from '../../support/scenarios/ledger-invariants';

const PAYMENT = '0190a6f2-7c1e-7b3a-9f00-000000000001';
const ledger = new Ledger();
const charge = (chargeId: string, postings: readonly Posting[]): LedgerEntry[] =>
  ledger.draft({ gateway: 'gateway_1', reference: `${PAYMENT}-1`, chargeId }, postings, new Date());
const sale = (chargeId: string): LedgerEntry[] =>
  charge(chargeId, [post.authorized(1_000), ...post.captured(1_000, [], 0)]);

it('accepts a payment with a refunded charge and a second charge', () => {
  const refunded = [...sale('ch_1'), ...charge('ch_1', post.refunded(1_000, []))];
  expect(ledgerViolations([...refunded, ...sale('ch_2')])).toEqual([]);
});

it('accepts an overpaid pix whose splits sum to the requested amount', () => {
  const split = { recipient_id: 're_1', amount: 1_000, liable: true, charge_processing_fee: true };
  const overpaid = [post.memo('pending', 1_000), post.paid(1_200), ...post.captured(1_200, [split], 100)];
  expect(ledgerViolations(charge('ch_1', overpaid))).toEqual([]);
});

it.each([
  ['two charges of one payment', [...sale('ch_1'), ...sale('ch_2')], '2 charges'],
  [
    'a captured charge beside an authorized one',
    [...sale('ch_1'), ...charge('ch_2', [post.authorized(500)])],
    '2 charges',
  ],
  ['more captured than authorized', charge('ch_1', post.captured(1_000, [], 0)), 'captured 1000 of 0'],
  [
    'more refunded than captured',
    [...sale('ch_1'), ...charge('ch_1', post.refunded(1_001, []))],
    'refunded 1001',
  ],
  [
    'more released than held',
    [...sale('ch_1'), ...charge('ch_1', [post.released(1)])],
    '1 more was captured or released than was held',
  ],
  [
    'splits that do not sum up',
    charge('ch_1', [
      post.authorized(1_000),
      ...post.captured(
        1_000,
        [{ recipient_id: 're_1', amount: 999, liable: true, charge_processing_fee: true }],
        0,
      ),
    ]),
    'splits and fees are 999 of 1000',
  ],
])('reports %s', (_, entries, violation) => {
  expect(ledgerViolations(entries).join('\n')).toContain(violation);
});
