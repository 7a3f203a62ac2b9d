import { randomBytes } from 'node:crypto';
import type { Initiator } from '../../domain/companies/audit-actor';
import { changesBetween, type AuditAction, type AuditChanges } from '../../domain/companies/audit';
import type { OwnInstallmentTerms } from '../../domain/companies/installment-terms';
import { applyChange, type Change } from '../../domain/shared/change';
import { notFound, validationError, type FieldErrors } from '../../domain/shared/errors';
import { newPaymentLinkToken, parsePlanId } from '../../domain/shared/ids';
import type { Page, PageRequest } from '../../domain/shared/page';
import {
  defaultMethods,
  installmentErrors,
  linkErrors,
  immutableFieldErrors,
  type CheckoutMethod,
  type PaymentLink,
  type PaymentLinkDetails,
} from '../../domain/checkout/payment-link';
import type { Plan } from '../../domain/subscriptions/plan';
import { slugCandidates } from '../../domain/checkout/slug';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type { CompanyConfigRepository } from '../../persistence/companies/company-config-repository';
import type {
  PaymentLinkFilter,
  PaymentLinkRepository,
} from '../../persistence/checkout/payment-link-repository';
import type { Creation } from '../shared/create-once';
import type { Database, Tx } from '../../persistence/sql/transaction';
import { PLAN_SETS_AMOUNT, readOffer, type OfferDeps, type OfferRequest } from './offer-request';

export interface PaymentLinksDeps extends OfferDeps {
  readonly db: Database;
  readonly links: PaymentLinkRepository;
  readonly companyConfigs: CompanyConfigRepository;
  readonly audit: AuditRepository;
  /** The link with the API's field names, which the audit log uses for its changes. */
  readonly present: (link: PaymentLinkDetails & { readonly plan: Plan | null }) => AuditChanges;
  readonly now: () => Date;
}

/** A request for a new link; null fields get defaults. */
export interface PaymentLinkRequest
  extends
    OfferRequest,
    Omit<PaymentLinkDetails, 'type' | 'amountCents' | 'currency' | 'paymentMethods' | 'slug'> {
  readonly slug: string | null;
  readonly paymentMethods: readonly CheckoutMethod[] | null;
}

/** A change of a link. `planId` must be the current plan if it is given. */
export type PaymentLinkChange = Change<Omit<PaymentLinkDetails, 'installments'>> & {
  readonly planId?: string | null | undefined;
  readonly installments: Change<OwnInstallmentTerms>;
};

/** A company's payment links. Changes by users are written to the audit log. */
export class PaymentLinks {
  constructor(private readonly deps: PaymentLinksDeps) {}

  /** @throws ApiError `validation_error`, on `slug` if another link has it */
  create(initiator: Initiator, request: PaymentLinkRequest): Creation<PaymentLink> {
    const { links, present, now } = this.deps;
    assertNoErrors(expiryErrors(request.expiresAt, now()));
    return async (tx) => {
      const { companyId } = initiator;
      const { plan, ...offer } = await readOffer(this.deps, tx, companyId, request);
      const paymentMethods = request.paymentMethods ?? defaultMethods(offer);
      const details = { ...request, ...offer, paymentMethods, slug: '' };
      assertNoErrors(linkErrors(details));
      await this.assertInstallments(tx, companyId, details);
      for (const slug of slugsToTry(request)) {
        const row = { ...details, slug, token: newPaymentLinkToken(), companyId, planId: plan?.id ?? null };
        const link = await links.insert(tx, row, now());
        if (link === null) continue;
        await this.recordAudit(tx, initiator, link, 'payment_link.create', present(link));
        return link;
      }
      throw slugTaken();
    };
  }

  /** @throws ApiError `not_found` */
  async get(companyId: number, token: string): Promise<PaymentLink> {
    const link = await this.deps.links.find(companyId, token);
    if (link === null) throw notFound();
    return link;
  }

  async list(companyId: number, filter: PaymentLinkFilter, page: PageRequest): Promise<Page<PaymentLink>> {
    return this.deps.links.list(companyId, filter, page);
  }

  /**
   * Open sessions keep the terms they were opened with. A `max_uses` below the number of uses ends the link.
   *
   * @throws ApiError `not_found`; `validation_error`, also for fields that never change
   */
  async change(
    initiator: Initiator,
    token: string,
    { planId, installments, ...change }: PaymentLinkChange,
  ): Promise<PaymentLink> {
    const { db, links, present, now } = this.deps;
    return db.inTransaction(async (tx) => {
      const before = await links.lock(tx, initiator.companyId, token);
      if (before === null) throw notFound();
      const after = applyChange<PaymentLink>(before, {
        ...change,
        installments: applyChange(before.installments, installments),
      });
      assertNoErrors(immutableFieldErrors(before, after));
      assertNoErrors(planErrors(before, planId));
      assertNoErrors(amountErrors(after));
      assertNoErrors(linkErrors(after));
      if (change.expiresAt !== undefined) assertNoErrors(expiryErrors(change.expiresAt, now()));
      const changes = changesBetween(present(before), present(after));
      if (Object.values(installments).some((term) => term !== undefined))
        await this.assertInstallments(tx, initiator.companyId, after);
      if (Object.keys(changes).length === 0) return before;
      await this.recordAudit(tx, initiator, before, 'payment_link.update', changes);
      const updated = await links.update(tx, before.id, after, now());
      if (updated === null) throw slugTaken();
      return updated;
    });
  }

  /** Stops new purchases; a purchase in progress completes. @throws ApiError `not_found` */
  async delete(initiator: Initiator, token: string): Promise<void> {
    const { db, links, present, now } = this.deps;
    await db.inTransaction(async (tx) => {
      const link = await links.lock(tx, initiator.companyId, token);
      if (link === null) throw notFound();
      await this.recordAudit(tx, initiator, link, 'payment_link.delete', present(link));
      await links.delete(tx, link.id, now());
    });
  }

  /** @throws ApiError `validation_error` on `max_installments`, `interest_rates` */
  private async assertInstallments(tx: Tx, companyId: number, link: PaymentLinkDetails): Promise<void> {
    const config = await this.deps.companyConfigs.get(companyId, tx);
    assertNoErrors(installmentErrors(link, link.installments, config.installments));
  }

  private async recordAudit(
    tx: Tx,
    { actor }: Initiator,
    { token }: PaymentLink,
    action: AuditAction,
    changes: AuditChanges,
  ): Promise<void> {
    if (actor === null) return;
    const subject = { subjectType: 'payment_link', subjectId: token } as const;
    await this.deps.audit.insert(tx, { ...actor, ...subject, action, changes });
  }
}

/** The requested slug, or else slugs from the link's name: first without, then with a suffix in case it is taken. */
function slugsToTry({ slug, name }: PaymentLinkRequest): string[] {
  return slug !== null ? [slug] : slugCandidates(name, randomBytes(8).toString('hex'));
}

function planErrors({ plan }: PaymentLink, planId: string | null | undefined): FieldErrors | null {
  if (planId === undefined) return null;
  const requested = planId === null ? null : parsePlanId(planId);
  return requested === (plan?.uuid ?? null) ? null : { plan_id: ['never changes: make another link'] };
}

function amountErrors({ type, amountCents }: PaymentLinkDetails): FieldErrors | null {
  if ((type === 'one_time') === (amountCents !== null)) return null;
  return { amount: [PLAN_SETS_AMOUNT] };
}

function expiryErrors(expiresAt: Date | null, now: Date): FieldErrors | null {
  return expiresAt !== null && expiresAt <= now ? { expires_at: ['must be in the future'] } : null;
}

function slugTaken() {
  return validationError({ slug: ['has already been taken'] });
}

function assertNoErrors(errors: FieldErrors | null): void {
  if (errors !== null) throw validationError(errors);
}
