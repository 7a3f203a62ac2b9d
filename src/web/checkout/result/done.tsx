import Check from 'lucide-react/icons/check';
import { useEffect, useState } from 'react';
import { money } from '../../ui/formats';
import { webAddress, type Offer } from '../pay/billing-address';
import { Button, ButtonLink } from '../ui/button';
import classes from '../checkout.module.css';
import doneClasses from './done.module.css';
import { messages } from '../messages';
import { dayWords, instantWords, priceWords } from '../summary/price';
import { schemeName } from '../pay/brand-mark';
import type { Payment, Session } from '../session/session-api';
import { StageTitle } from '../ui/stage-title';
import { useNow } from '../session/use-now';
import type { Purchase } from '../session/use-purchase';

interface DoneProps {
  readonly offer: Offer | null;
  readonly session: Session;
  readonly purchase: Purchase;
}

/** It is bought. */
export function Done({ offer, session, purchase }: DoneProps) {
  const company = offer?.company.name ?? '';
  const back = webAddress(session.success_url);
  return (
    <div className={doneClasses.done}>
      <span className={doneClasses.tick} aria-hidden>
        <Check size={32} strokeWidth={3} />
      </span>
      <StageTitle isOfPage takesFocus={!purchase.isResumed}>
        {titleOf(session)}
      </StageTitle>
      {company !== '' && session.payment?.status !== 'refunded' && (
        <p className={classes.about}>
          {session.subscription === null ? messages.paidAbout(company) : messages.subscribedAbout(company)}
        </p>
      )}
      <Receipt offer={offer} session={session} />
      {back === null ? (
        <p className={classes.about}>{messages.mayClose}</p>
      ) : (
        <WayBack href={back} company={company} goesByItself={!purchase.isResumed && window.top === window} />
      )}
      {back === null && (
        <Button kind="text" onClick={purchase.beginAnew}>
          {messages.another}
        </Button>
      )}
    </div>
  );
}

function titleOf({ subscription, payment }: Session): string {
  if (payment?.status === 'refunded') return messages.refunded;
  if (subscription === null) return messages.paid;
  return subscription.status === 'trialing' ? messages.trialBegun : messages.subscribed;
}

function Receipt({ offer, session }: Pick<DoneProps, 'offer' | 'session'>) {
  const { payment, subscription, merchant_order_id: order } = session;
  const card = payment?.card ?? subscription?.card ?? null;
  const trialEnd = subscription?.trial?.end ?? null;
  const rows: Array<readonly [name: string, value: string | null]> = [
    [messages.item, offer?.name ?? null],
    [messages.amount, payment && amountWords(payment)],
    [
      subscription?.status === 'trialing' && trialEnd !== null
        ? messages.onDay(dayWords(trialEnd))
        : messages.afterThat,
      offer !== null && subscription !== null ? priceWords(offer, subscription.amount) : null,
    ],
    [
      messages.paidWith,
      card === null ? (payment?.payment_method === 'pix' ? messages.pix : null) : cardWords(card),
    ],
    [
      messages.date,
      instantWords(payment?.updated_at ?? subscription?.created_at ?? new Date().toISOString()),
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

/** In how many parts, where they are several. */
function amountWords({ amount, currency, installments: parts }: Payment): string {
  const whole = money(amount, currency);
  return parts === 1
    ? whole
    : `${whole} · ${messages.part(parts, money(Math.round(amount / parts), currency))}`;
}

function cardWords({
  brand,
  last_4_digits: digits,
}: {
  readonly brand: string | null;
  readonly last_4_digits: string | null;
}): string {
  return messages.cardEnding(schemeName(brand) || messages.card, digits ?? '');
}

const STAYS_SECONDS = 6;

interface WayBackProps {
  readonly href: string;
  readonly company: string;
  /** Not on a page that was reloaded: who went back to it wants to be here. */
  readonly goesByItself: boolean;
}

function WayBack({ href, company, goesByItself }: WayBackProps) {
  return (
    <>
      <ButtonLink href={href}>{messages.backTo(company)}</ButtonLink>
      {goesByItself && <Countdown href={href} />}
    </>
  );
}

function Countdown({ href }: Pick<WayBackProps, 'href'>) {
  const [begunAt] = useState(() => Date.now());
  const left = STAYS_SECONDS - Math.floor((useNow().getTime() - begunAt) / 1_000);
  useEffect(() => {
    if (left <= 0) location.replace(href);
  }, [left, href]);
  return <p className={classes.about}>{messages.backSoon(Math.max(0, left))}</p>;
}
