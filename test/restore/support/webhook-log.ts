import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { Database } from '../../../src/persistence/sql/transaction';
import { registerUser } from '../../faults/support/webhook-listener';
import { ALL_TRANSACTION_EVENTS } from '../../support/fixtures/webhooks';
import { Merchant, type MerchantTarget } from '../../support/merchant/merchant';
import { expectResponse } from '../../support/merchant/requests';
import { startWebhookReceiver } from '../../support/stack/webhook-receiver';
import { waitFor } from '../../support/stack/wait-for';

const DELIVERED_WITHIN_MS = 90_000;

/** What the merchants' receiver got, before and after the restore. */
export class WebhookLog {
  private constructor(private readonly receiver: Awaited<ReturnType<typeof startWebhookReceiver>>) {}

  static async start(): Promise<WebhookLog> {
    return new WebhookLog(await startWebhookReceiver());
  }

  /** A merchant whose webhooks come here. */
  async registerMerchant(target: MerchantTarget, gateways: readonly GatewaySlug[]): Promise<Merchant> {
    const { token, company } = await registerUser(target);
    const merchant = await Merchant.forCompany(target, company, gateways);
    await expectResponse(
      {
        method: 'POST',
        url: `${target.apiUrl}/user/company/webhooks`,
        headers: { authorization: `Bearer ${token}` },
        body: { url: this.receiver.url, events: ALL_TRANSACTION_EVENTS },
      },
      201,
    );
    return merchant;
  }

  /** The receiver was told what each payment is now, and no number of an event was given twice. */
  async violations(db: Database): Promise<string[]> {
    const payments = await db.query<{ id: string; status: string }>(
      "SELECT transaction_id AS id, status FROM payments WHERE status <> 'processing' AND subscription_id IS NULL",
    );
    const untold = () => {
      const told = new Set(
        this.receiver.events().map(({ transaction_id: id, status }) => `${String(id)} ${String(status)}`),
      );
      return payments.filter(({ id, status }) => !told.has(`${id} ${status}`));
    };
    await waitFor(() => untold().length === 0, { withinMs: DELIVERED_WITHIN_MS, everyMs: 500 }).catch(
      () => undefined,
    );
    return [
      ...untold().map(({ id, status }) => `no webhook said that ${id} is ${status}`),
      ...this.repeated(),
    ];
  }

  close(): void {
    this.receiver.close();
  }

  private repeated(): string[] {
    const named = new Map<string, Set<string>>();
    for (const { event_id: eventId, event, transaction_id: subject } of this.receiver.events()) {
      const id = String(eventId);
      named.set(id, (named.get(id) ?? new Set()).add(`${String(event)} of ${String(subject)}`));
    }
    return [...named].flatMap(([id, names]) =>
      names.size === 1 ? [] : [`event ${id} is ${[...names].join(' and ')}`],
    );
  }
}
