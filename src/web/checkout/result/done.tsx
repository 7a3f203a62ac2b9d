import Check from 'lucide-react/icons/check';
import { useEffect, useState } from 'react';
import { safeUrl, type CheckoutOffer } from '../page-data';
import { Button, ButtonLink } from '../ui/button';
import classes from '../checkout.module.css';
import doneClasses from './done.module.css';
import { messages } from '../messages';
import { chargedLabel } from '../summary/installments';
import { formatDay, formatInstant, priceLabel } from '../summary/price';
import { brandName } from '../pay/brand-mark';
import type { Session } from '../session/session-api';
import { StageTitle } from '../ui/stage-title';
import { useNow } from '../session/use-now';
import type { Purchase } from '../session/use-purchase';

interface DoneProps {
  readonly offer: CheckoutOffer | null;
  readonly session: Session;
  readonly purchase: Purchase;
}

export function Done({ offer, session, purchase }: DoneProps) {
  const company = offer?.company.name ?? '';
  const returnUrl = safeUrl(session.success_url);
  return (
    <div className={doneClasses.done}>
      <span className={doneClasses.checkMark} aria-hidden>
        <Check size={32} strokeWidth={3} />
      </span>
      <StageTitle isPageHeading shouldFocus={!purchase.isResumed}>
        {titleOf(session)}
      </StageTitle>
      {company !== '' && session.payment?.status !== 'refunded' && (
        <p className={classes.muted}>
          {session.subscription === null ? messages.paidHint(company) : messages.subscribedHint(company)}
        </p>
      )}
      <Receipt offer={offer} session={session} />
      {returnUrl === null ? (
        <p className={`${classes.muted} ${classes.screenOnly}`}>{messages.canClose}</p>
      ) : (
        <ReturnLink
          href={returnUrl}
          company={company}
          redirects={!purchase.isResumed && window.top === window}
        />
      )}
      <Button kind="text" onClick={() => window.print()}>
        {messages.print}
      </Button>
      {returnUrl === null && session.subscription === null && (
        <Button kind="text" onClick={purchase.startOver}>
          {messages.another}
        </Button>
      )}
    </div>
  );
}

function titleOf({ subscription, payment }: Session): string {
  if (payment?.status === 'refunded') return messages.refunded;
  if (subscription === null) return messages.paid;
  return subscription.status === 'trialing' ? messages.trialStarted : messages.subscribed;
}

function Receipt({ offer, session }: Pick<DoneProps, 'offer' | 'session'>) {
  const { payment, subscription, merchant_order_id: order } = session;
  const card = payment?.card ?? subscription?.card ?? null;
  const buyerName = (payment ?? subscription)?.customer?.name ?? null;
  const trialEnd = subscription?.trial?.end ?? null;
  const rows: Array<readonly [name: string, value: string | null]> = [
    [subscription === null ? messages.buyer : messages.subscriber, buyerName],
    [messages.item, offer?.name ?? null],
    [messages.amount, payment && chargedLabel(payment, session)],
    [
      subscription?.status === 'trialing' && trialEnd !== null
        ? messages.onDay(formatDay(trialEnd))
        : messages.afterThat,
      offer !== null && subscription !== null ? priceLabel(offer, subscription.amount) : null,
    ],
    [
      messages.paidWith,
      card === null ? (payment?.payment_method === 'pix' ? messages.pix : null) : cardLabel(card),
    ],
    [
      messages.date,
      formatInstant(payment?.updated_at ?? subscription?.created_at ?? new Date().toISOString()),
    ],
    [messages.order, order],
  ];
  return (
    <dl className={doneClasses.receipt} aria-label={messages.receipt}>
      {rows.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd data-long={value === order || undefined}>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function cardLabel({
  brand,
  last_4_digits: digits,
}: {
  readonly brand: string | null;
  readonly last_4_digits: string | null;
}): string {
  return messages.cardEnding(brandName(brand) || messages.card, digits ?? '');
}

const REDIRECT_SECONDS = 6;

interface ReturnLinkProps {
  readonly href: string;
  readonly company: string;
  /** False on a reloaded page: a buyer who came back wants to read the receipt. */
  readonly redirects: boolean;
}

function ReturnLink({ href, company, redirects }: ReturnLinkProps) {
  const [isPrinted, setPrinted] = useState(false);
  useEffect(() => {
    const stay = (): void => setPrinted(true);
    addEventListener('beforeprint', stay);
    return () => removeEventListener('beforeprint', stay);
  }, []);
  return (
    <>
      <ButtonLink href={href}>{messages.backTo(company)}</ButtonLink>
      {redirects && !isPrinted && <Countdown href={href} />}
    </>
  );
}

function Countdown({ href }: Pick<ReturnLinkProps, 'href'>) {
  const [startedAt] = useState(() => Date.now());
  const left = REDIRECT_SECONDS - Math.floor((useNow().getTime() - startedAt) / 1_000);
  useEffect(() => {
    if (left <= 0) location.replace(href);
  }, [left, href]);
  return <p className={classes.muted}>{messages.redirecting(Math.max(0, left))}</p>;
}
