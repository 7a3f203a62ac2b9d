import LockKeyhole from 'lucide-react/icons/lock-keyhole';
import { useState, type SubmitEvent } from 'react';
import type { RequestError } from '../../api/request-error';
import { money } from '../../ui/formats';
import { safeUrl, type CheckoutOffer } from '../page-data';
import { Button, ButtonLink } from '../ui/button';
import { CardFields } from './card-fields';
import { toCard, cardRules, cardFieldErrors } from './card-form';
import classes from '../checkout.module.css';
import { declineMessage } from './decline-messages';
import { messages } from '../messages';
import { MethodChoice, type Method } from './method-choice';
import { Notice } from '../ui/notice';
import { InstallmentsChoice } from './installments-choice';
import {
  askedBy,
  askedFieldErrors,
  askedPart,
  askedRules,
  EMPTY_ANSWERS,
  NOTHING_ASKED,
} from './asked-fields';
import { AskedInputs } from './asked-inputs';
import { optionFor, type InstallmentOption } from '../summary/installments';
import { agreedPrices } from '../summary/price';
import { paymentErrorMessage } from './error-messages';
import type { Payment, PayRequest, Session } from '../session/session-api';
import { useFields } from './use-fields';

interface PayFormProps {
  readonly offer: CheckoutOffer;
  readonly session: Session;
  readonly methods: readonly Method[];
  /** Prefills the cardholder name, if known. */
  readonly buyerName: string;
  /** Returns the error, or null when the new stage of the page shows the result. */
  readonly pay: (request: PayRequest) => Promise<RequestError | null>;
}

export function PayForm({ offer, session, methods, buyerName, pay }: PayFormProps) {
  const fields = useFields({ number: '', expiry: '', code: '', holder: buyerName }, cardRules);
  const [asked, setAsked] = useState(NOTHING_ASKED);
  const answers = useFields(EMPTY_ANSWERS, () => askedRules(asked));
  const [method, setMethod] = useState<Method>(
    methods.includes(session.payment_method) ? session.payment_method : 'card',
  );
  const [installments, setInstallments] = useState(1);
  const option = optionFor(session, installments) ?? optionFor(session, 1);
  const [isBusy, setBusy] = useState(false);
  const [submitCount, setSubmitCount] = useState(0);
  const [error, setError] = useState<RequestError | null>(null);

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    if (isBusy || (method === 'card' && !fields.validate(form)) || !answers.validate(form)) return;
    setBusy(true);
    setError(null);
    const seen = offer.plan === null ? {} : { first_charge_amount: session.first_charge_amount };
    const byCard = {
      payment_method: method,
      card: toCard(fields.values),
      installments: option?.installments ?? 1,
      ...seen,
    };
    const request = method === 'card' ? byCard : { payment_method: method, installments: 1 };
    const result = await pay({ ...request, ...askedPart(asked, answers.values) });
    setBusy(false);
    setSubmitCount((count) => count + 1);
    setError(result);
    if (result === null) return;
    setAsked(askedBy(result, asked));
    answers.setErrors(askedFieldErrors(result), form);
    fields.setErrors(cardFieldErrors(result), form);
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className={classes.form}>
      {!isBusy && (
        <SubmitResultNotice
          key={submitCount}
          error={error}
          payment={session.payment}
          triesLeft={session.tries_left}
          isNew={submitCount > 0}
          hasPix={methods.includes('pix') && method === 'card'}
        />
      )}
      <MethodChoice offered={methods} chosen={method} choose={setMethod} />
      {method === 'card' ? (
        <>
          <CardFields fields={fields} />
          <InstallmentsChoice
            options={session.installment_options}
            currency={session.currency}
            chosen={option}
            choose={setInstallments}
          />
        </>
      ) : (
        <p className={classes.muted}>{messages.pixHint}</p>
      )}
      <AskedInputs asked={asked} fields={answers} />
      <Button type="submit" isBusy={isBusy}>
        {isBusy ? busyLabel(method) : submitLabel(offer, session, method, option)}
      </Button>
      <p role="status" className={classes.visuallyHidden}>
        {isBusy ? busyLabel(method) : ''}
      </p>
      <FinePrint offer={offer} session={session} method={method} />
    </form>
  );
}

interface SubmitResultNoticeProps {
  readonly error: RequestError | null;
  readonly payment: Payment | null;
  readonly triesLeft: number;
  readonly isNew: boolean;
  readonly hasPix: boolean;
}

/** Result of the previous submission. */
function SubmitResultNotice({ error, payment, triesLeft, isNew, hasPix }: SubmitResultNoticeProps) {
  if (error !== null) {
    const hasFieldErrors = Object.keys(cardFieldErrors(error)).length > 0;
    return <Notice {...paymentErrorMessage(error)} shouldFocus={!hasFieldErrors} />;
  }
  if (payment?.status !== 'failed') return null;
  const isByCard = payment.payment_method === 'card';
  const more = isByCard
    ? [
        ...(hasPix ? [messages.declines.alsoPix] : []),
        ...(triesLeft <= 2 ? [messages.triesLeft(triesLeft)] : []),
      ]
    : [];
  return <Notice {...declineMessage(payment)} more={more} shouldFocus={isNew} />;
}

function submitLabel(
  offer: CheckoutOffer,
  session: Session,
  method: Method,
  option: InstallmentOption | null,
): string {
  const { first_charge_amount: first, first_charge_at: firstAt } = session;
  if (method === 'pix') return messages.getPix;
  const amount = money(first, session.currency);
  if (offer.plan === null)
    return messages.pay(option === null ? amount : money(option.total, session.currency));
  if (firstAt !== null) return messages.startTrial;
  return first === 0 ? messages.subscribe : messages.subscribeAndPay(amount);
}

const busyLabel = (method: Method): string =>
  method === 'pix' ? messages.generatingPix : messages.processing;

function FinePrint({
  offer,
  session,
  method,
}: Pick<PayFormProps, 'offer' | 'session'> & { readonly method: Method }) {
  const cancelUrl = safeUrl(session.cancel_url);
  const { recurring_amount: recurring } = session;
  return (
    <div className={classes.finePrint}>
      {recurring !== null && <p>{messages.consent(offer.company.name, agreedPrices(offer, session))}</p>}
      <p className={classes.secure}>
        <LockKeyhole size={14} aria-hidden />
        {method === 'pix' ? messages.securePix : messages.secure}
      </p>
      {cancelUrl !== null && (
        <ButtonLink kind="text" href={cancelUrl}>
          {messages.cancelAndBack}
        </ButtonLink>
      )}
    </div>
  );
}
