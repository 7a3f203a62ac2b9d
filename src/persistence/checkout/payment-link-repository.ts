import { pageBounds, type Page, type PageRequest } from '../../domain/shared/page';
import type { PaymentLink, PaymentLinkDetails } from '../../domain/checkout/payment-link';
import type { PlanRepository } from '../subscriptions/plan-repository';
import type { Database, Tx } from '../sql/transaction';

export interface NewPaymentLink extends PaymentLinkDetails {
  readonly token: string;
  readonly companyId: number;
  /** Internal id. */
  readonly planId: number | null;
}

export interface PaymentLinkFilter {
  readonly isActive?: boolean | undefined;
}

type LinkRow = Omit<PaymentLink, 'plan'> & { readonly planId: number | null };

const COLUMNS = `l.id, l.company_id AS "companyId", l.token, l.slug, l.name, l.description, l.type,
  l.amount_cents AS "amountCents", l.plan_id AS "planId", l.currency, l.payment_methods AS "paymentMethods",
  l.gateway_first_try AS "gatewayFirstTry", l.max_uses AS "maxUses", l.uses_count AS "usesCount",
  l.expires_at AS "expiresAt", l.success_url AS "successUrl", l.cancel_url AS "cancelUrl", l.metadata, l.installments,
  l.is_active AS "isActive", l.deleted_at AS "deletedAt", l.created_at AS "createdAt", l.updated_at AS "updatedAt",
  c.mode, c.slug AS "companySlug"`;
const FROM = 'FROM payment_links l JOIN companies c ON c.id = l.company_id';
const MATCHING = 'l.company_id = $1 AND l.deleted_at IS NULL AND ($2::boolean IS NULL OR l.is_active = $2)';

/** Owns `payment_links`. `updated_at` is the company's last change; a purchase does not set it. */
export class PaymentLinkRepository {
  constructor(
    private readonly db: Database,
    private readonly plans: Pick<PlanRepository, 'listByIds'>,
  ) {}

  /** Null if another link of the company has the slug. */
  async insert(tx: Tx, link: NewPaymentLink, now: Date): Promise<PaymentLink | null> {
    const inserted = await this.db.queryOne<{ id: number }>(
      `INSERT INTO payment_links (token, company_id, type, plan_id, currency, slug, name, description, amount_cents,
         payment_methods, gateway_first_try, max_uses, expires_at, success_url, cancel_url, metadata, is_active,
         installments, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $19)
       ON CONFLICT (company_id, slug) WHERE deleted_at IS NULL DO NOTHING RETURNING id`,
      [link.token, link.companyId, link.type, link.planId, link.currency, ...changeableValues(link), now],
      tx,
    );
    return inserted && this.get(tx, inserted.id);
  }

  async find(companyId: number, token: string): Promise<PaymentLink | null> {
    const row = await this.db.queryOne<LinkRow>(
      `SELECT ${COLUMNS} ${FROM} WHERE l.company_id = $1 AND l.token = $2 AND l.deleted_at IS NULL`,
      [companyId, token],
    );
    return row && this.withPlan(row);
  }

  /** The link with this URL. */
  async findBySlugs(companySlug: string, slug: string): Promise<PaymentLink | null> {
    const row = await this.db.queryOne<LinkRow>(
      `SELECT ${COLUMNS} ${FROM} WHERE c.slug = $1 AND l.slug = $2 AND l.deleted_at IS NULL`,
      [companySlug, slug],
    );
    return row && this.withPlan(row);
  }

  /** Includes deleted links. By internal ids, which are only referenced by rows of the same company. */
  async listByIds(ids: readonly number[], tx?: Tx): Promise<PaymentLink[]> {
    const rows = await this.db.query<LinkRow>(`SELECT ${COLUMNS} ${FROM} WHERE l.id = ANY($1)`, [ids], tx);
    return this.withPlans(rows, tx);
  }

  /** Newest first. */
  async list(
    companyId: number,
    { isActive }: PaymentLinkFilter,
    page: PageRequest,
  ): Promise<Page<PaymentLink>> {
    const filter = [companyId, isActive];
    const { limit, offset } = pageBounds(page);
    const [rows, counted] = await Promise.all([
      this.db.query<LinkRow>(
        `SELECT ${COLUMNS} ${FROM} WHERE ${MATCHING} ORDER BY l.created_at DESC, l.id DESC LIMIT $3 OFFSET $4`,
        [...filter, limit, offset],
      ),
      this.db.queryOne<{ total: number }>(
        `SELECT count(*) AS total FROM payment_links l WHERE ${MATCHING}`,
        filter,
      ),
    ]);
    return { rows: await this.withPlans(rows), total: counted?.total ?? 0 };
  }

  /** Locks the link until `tx` ends, also against purchases. */
  async lock(tx: Tx, companyId: number, token: string): Promise<PaymentLink | null> {
    const row = await this.db.queryOne<LinkRow>(
      `SELECT ${COLUMNS} ${FROM} WHERE l.company_id = $1 AND l.token = $2 AND l.deleted_at IS NULL
        FOR NO KEY UPDATE OF l`,
      [companyId, token],
      tx,
    );
    return row && this.withPlan(row, tx);
  }

  /** Updates a link that `tx` has locked; its type stays. Null if another link of the company has the slug. */
  async update(tx: Tx, id: number, details: PaymentLinkDetails, now: Date): Promise<PaymentLink | null> {
    const changed = await this.db.execute(
      `UPDATE payment_links l SET slug = $2, name = $3, description = $4, amount_cents = $5, payment_methods = $6,
         gateway_first_try = $7, max_uses = $8, expires_at = $9, success_url = $10, cancel_url = $11, metadata = $12,
         is_active = $13, installments = $14, updated_at = $15
       WHERE id = $1 AND NOT EXISTS (
         SELECT FROM payment_links o
          WHERE o.company_id = l.company_id AND o.slug = $2 AND o.deleted_at IS NULL AND o.id <> l.id)`,
      [id, ...changeableValues(details), now],
      tx,
    );
    return changed === 0 ? null : this.get(tx, id);
  }

  /** Marks a link that `tx` has locked as deleted. */
  async delete(tx: Tx, id: number, now: Date): Promise<void> {
    await this.db.execute('UPDATE payment_links SET deleted_at = $2 WHERE id = $1', [id, now], tx);
  }

  /**
   * Counts one purchase; false if the link cannot be used at that instant. The condition and the row lock guarantee at
   * most `max_uses` purchases. Other purchases wait for `tx`, so a purchase calls this last.
   */
  async claimUse(tx: Tx, id: number, at: Date): Promise<boolean> {
    const updated = await this.db.execute(
      `UPDATE payment_links SET uses_count = uses_count + 1
        WHERE id = $1 AND deleted_at IS NULL AND is_active AND (expires_at IS NULL OR expires_at > $2)
          AND (max_uses IS NULL OR uses_count < max_uses)`,
      [id, at],
      tx,
    );
    return updated === 1;
  }

  private async get(tx: Tx, id: number): Promise<PaymentLink> {
    const [link] = await this.listByIds([id], tx);
    if (link === undefined) throw new Error('the payment link does not exist');
    return link;
  }

  private async withPlan(row: LinkRow, tx?: Tx): Promise<PaymentLink> {
    const [link] = await this.withPlans([row], tx);
    if (link === undefined) throw new Error('no link for the row');
    return link;
  }

  private async withPlans(rows: readonly LinkRow[], tx?: Tx): Promise<PaymentLink[]> {
    const ids = [...new Set(rows.flatMap(({ planId }) => planId ?? []))];
    const plans = ids.length === 0 ? [] : await this.plans.listByIds(ids, tx);
    return rows.map(({ planId, ...row }) => ({
      ...row,
      plan: plans.find(({ id }) => id === planId) ?? null,
    }));
  }
}

/** In the order of the columns in the INSERT and UPDATE statements. */
function changeableValues(link: PaymentLinkDetails): unknown[] {
  return [
    link.slug,
    link.name,
    link.description,
    link.amountCents,
    link.paymentMethods,
    link.gatewayFirstTry,
    link.maxUses,
    link.expiresAt,
    link.successUrl,
    link.cancelUrl,
    link.metadata && JSON.stringify(link.metadata),
    link.isActive,
    JSON.stringify(link.installments),
  ];
}
