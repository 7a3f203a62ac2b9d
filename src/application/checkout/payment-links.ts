import { randomBytes } from 'node:crypto';
import type { Initiator } from '../../domain/companies/audit-actor';
import { changesBetween, type AuditAction, type AuditChanges } from '../../domain/companies/audit';
import { changed, type Change } from '../../domain/shared/change';
import { notFound, validationError, type FieldErrors } from '../../domain/shared/errors';
import { newPaymentLinkToken, parsePlanId } from '../../domain/shared/ids';
import type { Page, PageRequest } from '../../domain/shared/page';
import {
  defaultMethods,
  linkFaults,
  otherLinkFaults,
  type CheckoutMethod,
  type PaymentLink,
  type PaymentLinkDetails,
} from '../../domain/checkout/payment-link';
import type { Plan } from '../../domain/subscriptions/plan';
import { slugChoices } from '../../domain/checkout/slug';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type {
  PaymentLinkFilter,
  PaymentLinkRepository,
} from '../../persistence/checkout/payment-link-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';
import { readOffer, type OfferRequest, type OfferDeps } from './offer-request';

export interface PaymentLinksDeps extends OfferDeps {
  readonly db: Database;
  readonly links: PaymentLinkRepository;
  readonly audit: AuditRepository;
  /** What a company says of a link by the API's names, by which the audit log tells what changed. */
  readonly present: (link: PaymentLinkDetails & { readonly plan: Plan | null }) => AuditChanges;
  readonly now: () => Date;
}

/** A link to make, of which some things are to be found out. */
export interface PaymentLinkRequest
  extends
    OfferRequest,
    Omit<PaymentLinkDetails, 'type' | 'amountCents' | 'currency' | 'paymentMethods' | 'slug'> {
  readonly slug: string | null;
  readonly paymentMethods: readonly CheckoutMethod[] | null;
}

/** What may be changed of a link; its plan may only be named as it is. */
export type PaymentLinkChange = Change<PaymentLinkDetails> & { readonly planId?: string | null | undefined };

/** Pages where anybody pays. What a company's people change of them is in the audit log. */
export class PaymentLinks {
  constructor(private readonly deps: PaymentLinksDeps) {}

  /** @throws ApiError `validation_error`, on `slug` when another link has it */
  async create(author: Initiator, request: PaymentLinkRequest): Promise<PaymentLink> {
    const { db, links, present, now } = this.deps;
    refuse(expiryFaults(request.expiresAt, now()));
    return db.inTransaction(async (tx) => {
      const { companyId } = author;
      const { plan, ...offer } = await readOffer(this.deps, tx, companyId, request);
      const paymentMethods = request.paymentMethods ?? defaultMethods(offer);
      const details = { ...request, ...offer, paymentMethods, slug: '' };
      refuse(linkFaults(details));
      for (const slug of slugs(request)) {
        const row = { ...details, slug, token: newPaymentLinkToken(), companyId, planId: plan?.id ?? null };
        const link = await links.insert(tx, row, now());
        if (link === null) continue;
        await this.note(tx, author, link, 'payment_link.create', present(link));
        return link;
      }
      throw slugTaken();
    });
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
   * Sessions that are open keep what they were opened with. Fewer `max_uses` than there were end it.
   *
   * @throws ApiError `not_found`; `validation_error`, also on what only another link can be
   */
  async change(
    author: Initiator,
    token: string,
    { planId, ...change }: PaymentLinkChange,
  ): Promise<PaymentLink> {
    const { db, links, present, now } = this.deps;
    return db.inTransaction(async (tx) => {
      const before = await links.lock(tx, author.companyId, token);
      if (before === null) throw notFound();
      const after = changed<PaymentLink>(before, change);
      refuse(otherLinkFaults(before, after));
      refuse(planFaults(before, planId));
      refuse(amountFaults(after));
      refuse(linkFaults(after));
      if (change.expiresAt !== undefined) refuse(expiryFaults(change.expiresAt, now()));
      const changes = changesBetween(present(before), present(after));
      if (Object.keys(changes).length === 0) return before;
      await this.note(tx, author, before, 'payment_link.update', changes);
      const kept = await links.update(tx, before.id, after, now());
      if (kept === null) throw slugTaken();
      return kept;
    });
  }

  /** Nobody buys from it any more; a purchase under way is carried through. @throws ApiError `not_found` */
  async delete(author: Initiator, token: string): Promise<void> {
    const { db, links, present, now } = this.deps;
    await db.inTransaction(async (tx) => {
      const link = await links.lock(tx, author.companyId, token);
      if (link === null) throw notFound();
      await this.note(tx, author, link, 'payment_link.delete', present(link));
      await links.delete(tx, link.id, now());
    });
  }

  private async note(
    tx: Tx,
    { actor }: Initiator,
    { token }: PaymentLink,
    action: AuditAction,
    changes: AuditChanges,
  ): Promise<void> {
    if (actor === null) return;
    const subject = { subjectType: 'payment_link', subjectId: token } as const;
    await this.deps.audit.record(tx, { ...actor, ...subject, action, changes });
  }
}

/** Those to try, in this order: a slug that somebody asked for, or its name's, with something added where that is taken. */
function slugs({ slug, name }: PaymentLinkRequest): string[] {
  return slug !== null ? [slug] : slugChoices(name, randomBytes(8).toString('hex'));
}

function planFaults({ plan }: PaymentLink, planId: string | null | undefined): FieldErrors | null {
  if (planId === undefined) return null;
  const named = planId === null ? null : parsePlanId(planId);
  return named === (plan?.uuid ?? null) ? null : { plan_id: ['never changes: make another link'] };
}

function amountFaults({ type, amountCents }: PaymentLinkDetails): FieldErrors | null {
  if ((type === 'one_time') === (amountCents !== null)) return null;
  return { amount: ['is what the plan says: a subscription has none of its own'] };
}

function expiryFaults(expiresAt: Date | null, now: Date): FieldErrors | null {
  return expiresAt !== null && expiresAt <= now ? { expires_at: ['must be in the future'] } : null;
}

function slugTaken() {
  return validationError({ slug: ['has already been taken'] });
}

function refuse(faults: FieldErrors | null): void {
  if (faults !== null) throw validationError(faults);
}
