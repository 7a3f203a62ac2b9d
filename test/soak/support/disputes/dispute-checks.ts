import { transactionOf } from '../../../../src/gateways/simulator/wire';
import type { components } from '../../../../src/http/generated/openapi';
import type { SimulatedDispute } from '../../../support/stack/simulator';
import type { MerchantRecords } from '../reconciliation';
import type { SoakMerchant } from '../soak-merchant';

type DisputeBody = components['schemas']['Dispute'];

/** What the company's own ledger has of the disputes of a payment, in cents. */
interface PostedDisputes {
  readonly transactionId: string;
  /** What is deducted from what the gateway owes. */
  readonly taken: number;
  readonly held: number;
  /** By the company and by its recipients. */
  readonly lost: number;
}

const PER_PAGE = 100;

/** Compares the disputes of the gateways with those of the API, the payments, the company's ledger and the webhooks. */
export async function disputeViolations(merchant: SoakMerchant, records: MerchantRecords): Promise<string[]> {
  const { simulator, withFaults } = merchant.environment;
  const payments = new Set(records.database.map(({ transactionId }) => transactionId));
  const simulated = (await simulator.disputes()).filter(({ reference }) =>
    payments.has(transactionOf(reference)),
  );
  const known = await readDisputes(merchant);
  const played = new Set(merchant.office.disputes.map(({ gatewayId }) => gatewayId));
  return [
    ...simulated.flatMap((dispute) => stateViolations(dispute, known)),
    ...unexplained('the API', known, simulated),
    ...simulated.filter(({ id }) => !played.has(id)).map(({ id }) => `nobody opened the dispute ${id}`),
    ...moneyViolations(simulated, records, await readPosted(merchant)),
    ...(await merchant.office.webhooks.violations(merchant.office.disputes, withFaults)),
  ];
}

async function readDisputes({ office }: SoakMerchant): Promise<DisputeBody[]> {
  const disputes: DisputeBody[] = [];
  for (let page = 1, lastPage = 1; page <= lastPage; page += 1) {
    const query = { per_page: PER_PAGE, page };
    const { data, meta } = await office.admin.call('listDisputes', 200, { query });
    disputes.push(...data);
    lastPage = meta.last_page;
  }
  return disputes;
}

function stateViolations(simulated: SimulatedDispute, known: readonly DisputeBody[]): string[] {
  const found = known.filter(({ gateway_dispute_id: id }) => id === simulated.id);
  const [body] = found;
  if (body === undefined || found.length > 1) return [`the API has ${simulated.id} ${found.length} times`];
  const shown = {
    // The gateway calls lost what the company has accepted.
    status: body.status === 'accepted' ? 'lost' : body.status,
    ...{ kind: body.kind, amount: body.amount, returned: body.returned_amount },
    transaction: body.transaction_id,
  };
  const { kind, status, amount, returned, reference } = simulated;
  const expected = { status, kind, amount, returned, transaction: transactionOf(reference) };
  return JSON.stringify(shown) === JSON.stringify(expected)
    ? []
    : [`the dispute ${simulated.id} is ${JSON.stringify(shown)}, at the gateway ${JSON.stringify(expected)}`];
}

function unexplained(
  source: string,
  known: readonly DisputeBody[],
  simulated: readonly SimulatedDispute[],
): string[] {
  const ids = new Set(simulated.map(({ id }) => id));
  return known
    .filter(({ gateway_dispute_id: id }) => !ids.has(id))
    .map(({ gateway_dispute_id: id }) => `${source} has the dispute ${id}, and no gateway does`);
}

/** For each payment: what disputes hold and took at the gateway, in its ledger, in ours, and by the API. */
function moneyViolations(
  simulated: readonly SimulatedDispute[],
  { ledger, apiPayments }: MerchantRecords,
  posted: ReadonlyMap<string, PostedDisputes>,
): string[] {
  return apiPayments.flatMap(({ transaction_id: id, disputed_amount: disputed }) => {
    const own = simulated.filter(({ reference }) => transactionOf(reference) === id);
    const moving = own.filter(({ kind }) => kind !== 'retrieval');
    const held = sum(moving.filter(isOpen), ({ amount }) => amount);
    const lost = sum(
      moving.filter((one) => !isOpen(one)),
      ({ amount, returned }) => amount - returned,
    );
    const asked = sum(
      own.filter((one) => one.kind === 'retrieval' && isOpen(one)),
      ({ amount }) => amount,
    );
    const { taken, ...ours } = posted.get(id) ?? { taken: 0, held: 0, lost: 0 };
    const entries = ledger.filter(({ reference }) => transactionOf(reference) === id);
    const ofKind = (kind: string): number =>
      sum(
        entries.filter((entry) => entry.kind === kind),
        ({ amount }) => amount,
      );
    const actual = { disputed, taken, held: ours.held, lost: ours.lost };
    const expected = { disputed: held + lost + asked, taken: held + lost, held, lost };
    const atGateway = ofKind('disputed') - ofKind('dispute_returned');
    return [
      ...(JSON.stringify(actual) === JSON.stringify(expected)
        ? []
        : [
            `the disputes of ${id} are ${JSON.stringify(actual)}, at the gateway ${JSON.stringify(expected)}`,
          ]),
      ...(atGateway === held + lost
        ? []
        : [`disputes took ${atGateway} of ${id} in the ledger, and the disputes say ${held + lost}`]),
    ];
  });
}

async function readPosted({
  environment,
  companyId,
}: SoakMerchant): Promise<ReadonlyMap<string, PostedDisputes>> {
  const rows = await environment.db.query<PostedDisputes>(
    `SELECT e.transaction_id AS "transactionId",
            COALESCE(-sum(amount_cents) FILTER (WHERE account = 'gateway_receivable'), 0)::float8 AS taken,
            COALESCE(sum(amount_cents) FILTER (WHERE account = 'dispute_hold'), 0)::float8 AS held,
            COALESCE(sum(amount_cents) FILTER (WHERE account IN ('dispute_losses', 'recipient_payable')), 0)::float8 AS lost
       FROM ledger_entries e JOIN ledger_postings l ON l.company_id = e.company_id AND l.entry_id = e.id
      WHERE e.company_id = $1 AND e.kind LIKE 'dispute%' GROUP BY e.transaction_id`,
    [companyId],
  );
  return new Map(rows.map((row) => [row.transactionId, row]));
}

function isOpen({ status }: SimulatedDispute): boolean {
  return status === 'opened' || status === 'submitted';
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
