import Tag from 'lucide-react/icons/tag';
import { money } from '../../ui/formats';
import type { CheckoutOffer } from '../page-data';
import { Company } from './company';
import { messages } from '../messages';
import { priceLines, discountLabel, isProrated } from './price';
import type { Session } from '../session/session-api';
import classes from './summary.module.css';

interface SummaryProps {
  readonly offer: CheckoutOffer;
  /** Null until the buyer has entered their details. */
  readonly session: Session | null;
}

export function Summary({ offer, session }: SummaryProps) {
  const { plan, description } = offer;
  return (
    <section className={classes.summary} aria-label={messages.summary}>
      <Company company={offer.company} />
      <h1 className={classes.name}>{offer.name}</h1>
      <Price offer={offer} />
      {description !== null && <p className={classes.muted}>{description}</p>}
      {plan?.description && plan.description !== description && (
        <p className={classes.muted}>{plan.description}</p>
      )}
      {plan !== null && session !== null && <Charges offer={offer} session={session} />}
    </section>
  );
}

function Price({ offer }: Pick<SummaryProps, 'offer'>) {
  const { plan, amount, currency } = offer;
  const price = money(amount, currency);
  if (plan === null) return <p className={classes.price}>{price}</p>;
  const every = messages.every(plan.interval, plan.interval_count);
  if (plan.trial_period_days > 0) {
    return (
      <p className={classes.price}>
        {messages.trial(plan.trial_period_days)}
        <span className={classes.every}>{messages.thenPrice(`${price} ${every}`)}</span>
      </p>
    );
  }
  return (
    <p className={classes.price}>
      {price} <span className={classes.period}>{every}</span>
    </p>
  );
}

function Charges({ offer, session }: { readonly offer: CheckoutOffer; readonly session: Session }) {
  const { coupon } = session;
  const discount = discountLabel(session);
  return (
    <>
      {coupon !== null && (
        <p className={classes.coupon}>
          <Tag size={16} aria-hidden />
          <span>
            <strong>{coupon.code}</strong> {discount} {messages.forCharges(coupon.max_cycles)}
          </span>
        </p>
      )}
      <dl className={classes.charges}>
        {priceLines(offer, session).map(({ when, amount, fullAmount }) => (
          <div key={when}>
            <dt>{when}</dt>
            <dd>
              {fullAmount !== null && <s>{fullAmount}</s>} {amount}
            </dd>
          </div>
        ))}
      </dl>
      {isProrated(offer, session) && <p className={classes.muted}>{messages.prorated}</p>}
    </>
  );
}
