import LockKeyhole from 'lucide-react/icons/lock-keyhole';
import { useState, type SubmitEvent } from 'react';
import type { ApiFailure } from '../../api/failure';
import { money } from '../../ui/formats';
import { webAddress, type Offer } from './billing-address';
import { Button, ButtonLink } from '../ui/button';
import { CardFields } from './card-fields';
import { cardOf, cardRules, refusedCardFields } from './card-form';
import classes from '../checkout.module.css';
import { declineWords } from './decline-messages';
import { messages } from '../messages';
import { MethodChoice, type Method } from './method-choice';
import { Notice } from '../ui/notice';
import { PartsChoice } from './installments-choice';
import { partsOf, priceWords } from '../summary/price';
import { refusalWords } from './error-messages';
import type { Payment, Purchase as PayRequest, Session } from '../session/session-api';
import { useFields } from './use-fields';

interface PayFormProps {
  readonly offer: Offer;
  readonly session: Session;
  readonly methods: readonly Method[];
  /** Who buys, if this page knows: most pay with a card of their own. */
  readonly buyerName: string;
  /** Why nothing was made of it; null when the page tells. */
  readonly pay: (request: PayRequest) => Promise<ApiFailure | null>;
}

/** How to pay, and the button that does it. */
export function PayForm({ offer, session, methods, buyerName, pay }: PayFormProps) {
  const fields = useFields({ number: '', expiry: '', code: '', holder: buyerName }, cardRules);
  const [method, choose] = useState<Method>(
    methods.includes(session.payment_method) ? session.payment_method : 'card',
  );
  const [parts, chooseParts] = useState(1);
  const [isBusy, setBusy] = useState(false);
  const [tried, setTried] = useState(0);
  const [refusal, setRefusal] = useState<ApiFailure | null>(null);

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    if (isBusy || (method === 'card' && !fields.check(form))) return;
    setBusy(true);
    setRefusal(null);
    const byCard = { payment_method: method, card: cardOf(fields.values), installments: parts };
    const refused = await pay(method === 'card' ? byCard : { payment_method: method, installments: 1 });
    setBusy(false);
    setTried((times) => times + 1);
    setRefusal(refused);
    if (refused !== null) fields.refuse(refusedCardFields(refused), form);
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className={classes.form}>
      {!isBusy && (
        <Told
          key={tried}
          refusal={refusal}
          payment={session.payment}
          triesLeft={session.tries_left}
          isNew={tried > 0}
          hasPix={methods.includes('pix') && method === 'card'}
        />
      )}
      <MethodChoice offered={methods} chosen={method} choose={choose} />
      {method === 'card' ? (
        <>
          <CardFields fields={fields} />
          <PartsChoice options={partsOf(offer)} chosen={parts} choose={chooseParts} />
        </>
      ) : (
        <p className={classes.about}>{messages.pixAbout}</p>
      )}
      <Button type="submit" isBusy={isBusy}>
        {isBusy ? messages.processing : deedOf(offer, session, method)}
      </Button>
      <p role="status" className={classes.spoken}>
        {isBusy ? messages.processing : ''}
      </p>
      <Fineprint offer={offer} session={session} />
    </form>
  );
}

interface ToldProps {
  readonly refusal: ApiFailure | null;
  readonly payment: Payment | null;
  readonly triesLeft: number;
  readonly isNew: boolean;
  readonly hasPix: boolean;
}

/** What became of the try before. */
function Told({ refusal, payment, triesLeft, isNew, hasPix }: ToldProps) {
  if (refusal !== null) {
    const marksFields = Object.keys(refusedCardFields(refusal)).length > 0;
    return <Notice {...refusalWords(refusal)} takesFocus={!marksFields} />;
  }
  if (payment?.status !== 'failed') return null;
  const isByCard = payment.payment_method === 'card';
  const more = isByCard
    ? [
        ...(hasPix ? [messages.declines.alsoPix] : []),
        ...(triesLeft <= 2 ? [messages.triesLeft(triesLeft)] : []),
      ]
    : [];
  return <Notice {...declineWords(payment)} more={more} takesFocus={isNew} />;
}

/** What the button does. */
function deedOf(offer: Offer, session: Session, method: Method): string {
  const { first_charge_amount: first, first_charge_at: firstAt } = session;
  if (method === 'pix') return messages.makePix;
  const amount = money(first, session.currency);
  if (offer.plan === null) return messages.pay(amount);
  if (firstAt !== null) return messages.startTrial;
  return first === 0 ? messages.subscribe : messages.subscribeAndPay(amount);
}

function Fineprint({ offer, session }: Pick<PayFormProps, 'offer' | 'session'>) {
  const cancel = webAddress(session.cancel_url);
  const { recurring_amount: recurring } = session;
  return (
    <div className={classes.fineprint}>
      {recurring !== null && <p>{messages.consent(offer.company.name, priceWords(offer, offer.amount))}</p>}
      <p className={classes.secure}>
        <LockKeyhole size={14} aria-hidden />
        {messages.secure}
      </p>
      {cancel !== null && (
        <ButtonLink kind="text" href={cancel}>
          {messages.cancelAndBack}
        </ButtonLink>
      )}
    </div>
  );
}
