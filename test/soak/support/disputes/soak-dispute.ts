import { disputeAnswers } from '../../../../src/gateways/simulator/profiles';
import type { components } from '../../../../src/http/generated/openapi';
import type { StoredDispute } from '../../../../src/simulator/charge-store';
import { waitFor } from '../../../support/stack/wait-for';
import { newKey } from '../merchant-backend';
import type { SoakPurchase } from '../soak-purchase';

type DisputeBody = components['schemas']['Dispute'];
export type PublishedEvent = 'opened' | 'evidence_due' | 'closed';

interface DisputeOptions {
  readonly kind?: StoredDispute['kind'];
  /** Cents; everything that was captured if omitted. */
  readonly amount?: number;
  readonly evidenceDueInSeconds?: number;
}

interface Decision {
  readonly status: 'submitted' | 'won' | 'lost' | 'reopened';
  readonly returned?: number;
}

const STATE_WITHIN_MS = 90_000;
const POLL_EVERY_MS = 200;
const REPEAT_CALLBACK_AFTER_MS = 5_000;
/** Of Visa: fraud, so that the card is blocked for subscriptions. */
const REASON_CODE = '10.4';

/**
 * A dispute that a customer, a bank and the merchant take part in. Each step waits until the API shows it, so the events of the
 * dispute are known: `published`, in order.
 */
export class SoakDispute {
  readonly published: PublishedEvent[] = ['opened'];
  private last: DisputeBody | undefined;

  private constructor(
    private readonly purchase: SoakPurchase,
    /** The gateway's id. */
    readonly gatewayId: string,
    readonly amount: number,
  ) {}

  /** Opens it at the gateway, and waits until the company knows it. */
  static async open(purchase: SoakPurchase, options: DisputeOptions = {}): Promise<SoakDispute> {
    const { kind = 'chargeback', amount = purchase.amount, evidenceDueInSeconds } = options;
    const { simulator } = purchase.merchant.environment;
    const request = {
      ...{ kind, amount, reason_code: REASON_CODE },
      ...(evidenceDueInSeconds !== undefined && { evidence_due_in: evidenceDueInSeconds }),
    };
    const opened = async (): Promise<string | undefined> => {
      const [known] = await simulator.disputes(purchase.id);
      return known?.id ?? (await simulator.openDispute(purchase.id, request)).id;
    };
    // Retried while the simulator is down. One whose answer was lost is listed.
    const gatewayId = await waitFor(opened, stateWait('the gateway to open a dispute'));
    const dispute = new SoakDispute(purchase, gatewayId, amount);
    purchase.merchant.office.disputes.push(dispute);
    const body = await dispute.reaches('opened');
    purchase.assert(
      body.kind === kind && body.amount === amount,
      `the dispute is ${JSON.stringify(body)}, expected a ${kind} of ${amount}`,
    );
    return dispute;
  }

  /** What the customer's bank or the network does; of a won dispute, `returned` is what the company gets back. */
  async decide({ status, returned }: Decision): Promise<void> {
    const { simulator } = this.purchase.merchant.environment;
    const target = status === 'reopened' ? 'opened' : status;
    const changed = async (): Promise<boolean> => {
      if ((await simulator.dispute(this.gatewayId)).status !== target)
        await simulator.changeDispute(this.gatewayId, {
          status,
          ...(returned !== undefined && { returned }),
        });
      return true;
    };
    await waitFor(changed, stateWait(`the dispute to be ${status}`));
    const body = await this.reaches(target);
    if (status !== 'submitted') this.published.push(status === 'reopened' ? 'opened' : 'closed');
    const expected = status === 'won' ? (returned ?? this.amount) : 0;
    this.purchase.assert(
      body.returned_amount === expected,
      `${body.returned_amount} of the dispute are returned, expected ${expected}`,
    );
  }

  /** The company accepts it: at the gateway's own pages if the gateway takes no answers. */
  async accept(): Promise<void> {
    if (!(await this.takes('accept'))) return this.decide({ status: 'lost' });
    const { status, body } = await this.office.admin.callAny('acceptDispute', { params: { id: this.id } });
    this.purchase.assert(status === 200, `the acceptance got ${JSON.stringify(body)}`);
    await this.reaches('accepted');
    this.published.push('closed');
  }

  /** The company submits evidence: at the gateway's own pages if the gateway takes none. */
  async submitEvidence(): Promise<void> {
    if (!(await this.takes('evidence'))) return this.decide({ status: 'submitted' });
    const { admin } = this.office;
    const params = { id: this.id };
    const evidence = { kind: 'explanation', text: 'The customer signed for the parcel.' };
    await admin.call('addEvidence', 201, {
      ...{ params, body: evidence },
      headers: { 'Idempotency-Key': newKey() },
    });
    const { status, body } = await admin.callAny('submitDispute', { params });
    this.purchase.assert(status === 200, `the evidence got ${JSON.stringify(body)}`);
    await this.reaches('submitted');
  }

  /** Waits for the reminder that the evidence is due. */
  async untilReminded(): Promise<void> {
    const { webhooks } = this.office;
    const reminded = (): boolean => webhooks.eventsOf(this.gatewayId).includes('evidence_due');
    await waitFor(reminded, stateWait('the reminder'));
    this.published.push('evidence_due');
  }

  /** The company's loss that somebody must settle, because the customer got money twice. */
  async expectLossToSettle(cents: number): Promise<void> {
    const { loss_to_settle: loss } = await this.find();
    this.purchase.assert(loss === cents, `the loss to settle is ${loss}, expected ${cents}`);
  }

  private get office() {
    return this.purchase.merchant.office;
  }

  private get id(): string {
    return this.last?.id ?? '';
  }

  /** Waits until it has this status. Repeats its callback: a killed simulator loses the ones it had not sent. */
  private async reaches(status: DisputeBody['status']): Promise<DisputeBody> {
    const { simulator, withFaults } = this.purchase.merchant.environment;
    let repeatAt = Date.now() + REPEAT_CALLBACK_AFTER_MS;
    const reached = async (): Promise<DisputeBody | false> => {
      this.last = await this.find();
      if (this.last.status === status) return this.last;
      if (withFaults && Date.now() > repeatAt) {
        repeatAt = Date.now() + REPEAT_CALLBACK_AFTER_MS;
        await simulator.sendCallbacks(this.purchase.id, { kind: 'chargeback' });
      }
      return false;
    };
    return waitFor(reached, stateWait(`the dispute ${this.gatewayId} to be ${status}`));
  }

  private async find(): Promise<DisputeBody> {
    const query = { transaction_id: this.purchase.id };
    const { data } = await this.office.admin.call('listDisputes', 200, { query });
    const found = data.find(({ gateway_dispute_id: id }) => id === this.gatewayId);
    if (found === undefined) throw new Error(`the dispute ${this.gatewayId} is not listed`);
    return found;
  }

  private async takes(answer: 'accept' | 'evidence'): Promise<boolean> {
    const { gateway } = await this.find();
    return disputeAnswers(gateway).includes(answer);
  }
}

function stateWait(what: string) {
  return { what, withinMs: STATE_WITHIN_MS, everyMs: POLL_EVERY_MS };
}
