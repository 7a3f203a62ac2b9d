import Tag from 'lucide-react/icons/tag';
import { money } from '../../ui/formats';
import type { Offer } from '../pay/billing-address';
import { Company } from './company';
import { messages } from '../messages';
import { chargesOf, discountWords, isProRata } from './price';
import type { Session } from '../session/session-api';
import classes from './summary.module.css';

interface SummaryProps {
  readonly offer: Offer;
  /** Null until it is known who buys. */
  readonly session: Session | null;
}

/** What is bought, from whom, and what it costs. */
export function Summary({ offer, session }: SummaryProps) {
  const { plan, description } = offer;
  return (
    <section className={classes.summary} aria-label={messages.summary}>
      <Company company={offer.company} />
      <h1 className={classes.name}>{offer.name}</h1>
      <Price offer={offer} />
      {description !== null && <p className={classes.about}>{description}</p>}
      {plan?.description && plan.description !== description && (
        <p className={classes.about}>{plan.description}</p>
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

function Charges({ offer, session }: { readonly offer: Offer; readonly session: Session }) {
  const { coupon } = session;
  const discount = discountWords(session);
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
        {chargesOf(offer, session).map(({ when, amount, instead }) => (
          <div key={when}>
            <dt>{when}</dt>
            <dd>
              {instead !== null && <s>{instead}</s>} {amount}
            </dd>
          </div>
        ))}
      </dl>
      {isProRata(offer, session) && <p className={classes.about}>{messages.proRata}</p>}
    </>
  );
}
