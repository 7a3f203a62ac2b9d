import { randomUUID } from 'node:crypto';
import type { GatewaySlug } from '../domain/shared/gateway-slug';
import { Journal } from './journal';
import { REPLAY_WINDOW_MS } from '../gateways/simulator/profiles';

/** A recipient of splits. It holds no personal data. */
export interface StoredRecipient {
  readonly id: string;
  readonly gateway: GatewaySlug;
  readonly reference: string;
  readonly idempotencyKey: string | null;
  readonly status: 'pending' | 'active' | 'refused';
  /** Whether a pending one waits for its owner. */
  readonly needsConsent?: boolean;
  readonly message: string | null;
  readonly at: string;
  /** What the vendor's protocol keeps with it. */
  readonly wireData?: Readonly<Record<string, string>>;
}

/** A document ending in 00 stays pending, one ending in 99 is refused, any other is active. */
export function recipientStatusFor(document: string): StoredRecipient['status'] {
  const digits = document.replace(/\D/g, '');
  if (digits.endsWith('00')) return 'pending';
  return digits.endsWith('99') ? 'refused' : 'active';
}

const MESSAGES: Readonly<Record<StoredRecipient['status'], string | null>> = {
  active: null,
  pending: 'documents are being checked',
  refused: 'the document was refused',
};

export class RecipientStore {
  private readonly recipients = new Map<string, StoredRecipient>();
  private readonly byKey = new Map<string, StoredRecipient>();
  private readonly byReference = new Map<string, string[]>();
  private readonly journal: Journal<StoredRecipient>;

  constructor(path: string) {
    this.journal = Journal.open<StoredRecipient>(path, (recipient) => this.apply(recipient));
  }

  create(
    fields: Pick<
      StoredRecipient,
      'gateway' | 'reference' | 'idempotencyKey' | 'status' | 'needsConsent' | 'wireData'
    >,
    now: Date,
  ): StoredRecipient {
    const recipient: StoredRecipient = {
      id: `re_${randomUUID()}`,
      ...fields,
      message: MESSAGES[fields.status],
      at: now.toISOString(),
    };
    this.journal.append(recipient);
    this.apply(recipient);
    return recipient;
  }

  find(gateway: GatewaySlug, id: string): StoredRecipient | null {
    const recipient = this.recipients.get(id);
    return recipient?.gateway === gateway ? recipient : null;
  }

  /** Activates or refuses a pending recipient; null if the id names no pending recipient. */
  decide(id: string, status: 'active' | 'refused'): StoredRecipient | null {
    const recipient = this.recipients.get(id);
    if (recipient?.status !== 'pending') return null;
    const decided: StoredRecipient = { ...recipient, status, message: MESSAGES[status] };
    this.journal.append(decided);
    this.apply(decided);
    return decided;
  }

  withReference(gateway: GatewaySlug, reference: string): StoredRecipient[] {
    const ids = this.byReference.get(`${gateway} ${reference}`) ?? [];
    return ids.flatMap((id) => this.recipients.get(id) ?? []);
  }

  newestFirst(gateway: GatewaySlug): StoredRecipient[] {
    return [...this.recipients.values()].filter((recipient) => recipient.gateway === gateway).toReversed();
  }

  withKey(gateway: GatewaySlug, key: string, now: Date): StoredRecipient | null {
    const recipient = this.byKey.get(`${gateway} ${key}`);
    if (recipient === undefined) return null;
    return now.getTime() - Date.parse(recipient.at) < REPLAY_WINDOW_MS ? recipient : null;
  }

  close(): void {
    this.journal.close();
  }

  private apply(recipient: StoredRecipient): void {
    const { id, gateway, reference, idempotencyKey } = recipient;
    const isNew = !this.recipients.has(id);
    this.recipients.set(id, recipient);
    if (!isNew) return;
    if (idempotencyKey !== null) this.byKey.set(`${gateway} ${idempotencyKey}`, recipient);
    const same = this.byReference.get(`${gateway} ${reference}`) ?? [];
    this.byReference.set(`${gateway} ${reference}`, [...same, id]);
  }
}
