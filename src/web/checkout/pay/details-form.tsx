import { useState, type SubmitEvent } from 'react';
import { ApiFailure } from '../../api/failure';
import { Button } from '../ui/button';
import { digitsOf } from './card-number';
import classes from '../checkout.module.css';
import { Field } from '../ui/field';
import { messages } from '../messages';
import { Notice } from '../ui/notice';
import { openingWords } from './error-messages';
import type { Buyer } from '../session/session-api';
import { StageTitle } from '../ui/stage-title';
import { formatTaxId, isTaxId, isTaxIdComplete } from './tax-id';
import { useFields } from './use-fields';

const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;
const { problems } = messages;

const RULES = {
  name: { problem: (value: string) => (value.trim() === '' ? problems.name : null) },
  email: { problem: (value: string) => (EMAIL.test(value.trim()) ? null : problems.email) },
  document: {
    problem: (value: string) => (isTaxId(value) ? null : problems.taxId),
    isComplete: isTaxIdComplete,
  },
  coupon: { problem: () => null },
};

const NOBODY: Buyer = { name: '', email: '', document: '', coupon: '' };

/** The API's names of the fields. */
const REFUSED = { full_name: 'name', email: 'email', cpf_cnpj: 'document', coupon_code: 'coupon' } as const;

interface DetailsFormProps {
  /** What was entered before. */
  readonly buyer: Buyer | null;
  readonly acceptsCoupons: boolean;
  readonly takesFocus: boolean;
  /** Throws `ApiFailure`. */
  readonly open: (buyer: Buyer) => Promise<void>;
}

export function DetailsForm({ buyer, acceptsCoupons, takesFocus, open }: DetailsFormProps) {
  const fields = useFields(
    { ...NOBODY, ...buyer, document: formatTaxId(buyer?.document ?? '') },
    () => RULES,
  );
  const [isCouponShown, showCoupon] = useState((buyer?.coupon ?? '') !== '');
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    if (isBusy || !fields.check(form)) return;
    setBusy(true);
    setRefusal(null);
    const { name, email, document, coupon } = fields.values;
    const who = {
      name: name.trim(),
      email: email.trim(),
      document: digitsOf(document),
      coupon: coupon.trim(),
    };
    try {
      await open(who);
    } catch (error) {
      setBusy(false);
      const failure = error instanceof ApiFailure ? error : new ApiFailure({ status: null });
      const refused = refusedFields(failure);
      fields.refuse(refused, form);
      if (Object.keys(refused).length === 0) setRefusal(openingWords(failure));
    }
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className={classes.form}>
      <StageTitle takesFocus={takesFocus}>{messages.details}</StageTitle>
      {refusal !== null && <Notice title={refusal} text="" takesFocus />}
      <Field
        {...fields.bind('name')}
        label={messages.name}
        autoComplete="name"
        maxLength={255}
        enterKeyHint="next"
      />
      <Field
        {...fields.bind('email')}
        label={messages.email}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        maxLength={254}
        enterKeyHint="next"
      />
      <Field
        {...fields.bind('document')}
        label={messages.taxId}
        format={formatTaxId}
        inputMode="numeric"
        autoComplete="off"
      />
      {acceptsCoupons && !isCouponShown && (
        <Button kind="text" onClick={() => showCoupon(true)}>
          {messages.haveCoupon}
        </Button>
      )}
      {acceptsCoupons && isCouponShown && (
        <Field
          {...fields.bind('coupon')}
          label={messages.coupon}
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={50}
          isOptional
        />
      )}
      <Button type="submit" isBusy={isBusy}>
        {messages.toPayment}
      </Button>
    </form>
  );
}

type FieldName = keyof typeof RULES;

function refusedFields({ code, fields }: ApiFailure): Partial<Record<FieldName, string>> {
  if (code !== null && code in messages.coupons) {
    return { coupon: messages.coupons[code as keyof typeof messages.coupons] };
  }
  const own = {
    name: problems.name,
    email: problems.email,
    document: problems.taxId,
    coupon: problems.refused,
  };
  const named = Object.entries(REFUSED).filter(([path]) => path in fields);
  return Object.fromEntries(named.map(([, name]) => [name, own[name]]));
}
