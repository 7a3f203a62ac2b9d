import { useState, type SubmitEvent } from 'react';
import { toRequestError, type RequestError } from '../../api/request-error';
import { Button } from '../ui/button';
import classes from '../checkout.module.css';
import { Field } from '../ui/field';
import { messages } from '../messages';
import { Notice } from '../ui/notice';
import { sessionErrorMessage } from './error-messages';
import type { BuyerDetails } from '../session/session-api';
import { StageTitle } from '../ui/stage-title';
import { formatTaxId, isTaxId, isTaxIdComplete, taxIdOf } from './tax-id';
import { useFields } from './use-fields';

const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;
const { invalid } = messages;

const RULES = {
  name: { validate: (value: string) => (value.trim() === '' ? invalid.name : null) },
  email: { validate: (value: string) => (EMAIL.test(value.trim()) ? null : invalid.email) },
  document: {
    validate: (value: string) => (isTaxId(value) ? null : invalid.taxId),
    isComplete: isTaxIdComplete,
  },
  coupon: { validate: () => null },
};
const RULES_WITHOUT_DOCUMENT = { ...RULES, document: { validate: () => null } };

const EMPTY: BuyerDetails = { name: '', email: '', document: '', coupon: '' };

/** Form fields by the API's field names. */
const API_FIELDS = {
  full_name: 'name',
  email: 'email',
  cpf_cnpj: 'document',
  coupon_code: 'coupon',
} as const;

interface DetailsFormProps {
  /** The details entered earlier, if any. */
  readonly buyer: BuyerDetails | null;
  readonly acceptsCoupons: boolean;
  /** Whether the buyer must enter a CPF or CNPJ; people elsewhere have none. */
  readonly needsDocument: boolean;
  readonly shouldFocus: boolean;
  /** Throws `RequestError`. */
  readonly onSubmit: (buyer: BuyerDetails) => Promise<void>;
}

export function DetailsForm({
  buyer,
  acceptsCoupons,
  needsDocument,
  shouldFocus,
  onSubmit,
}: DetailsFormProps) {
  const fields = useFields({ ...EMPTY, ...buyer, document: formatTaxId(buyer?.document ?? '') }, () =>
    needsDocument ? RULES : RULES_WITHOUT_DOCUMENT,
  );
  const [isCouponShown, showCoupon] = useState((buyer?.coupon ?? '') !== '');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    if (isBusy || !fields.validate(form)) return;
    setBusy(true);
    setError(null);
    const { name, email, document, coupon } = fields.values;
    const buyerDetails = {
      name: name.trim(),
      email: email.trim(),
      document: taxIdOf(document),
      coupon: coupon.trim(),
    };
    try {
      await onSubmit(buyerDetails);
    } catch (thrown) {
      setBusy(false);
      const requestError = toRequestError(thrown);
      const fieldErrors = fieldErrorsOf(requestError);
      fields.setErrors(fieldErrors, form);
      if (Object.keys(fieldErrors).length === 0) setError(sessionErrorMessage(requestError));
    }
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className={classes.form}>
      <StageTitle shouldFocus={shouldFocus}>{messages.details}</StageTitle>
      {error !== null && <Notice title={error} text="" shouldFocus />}
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
      {needsDocument && (
        <Field
          {...fields.bind('document')}
          label={messages.taxId}
          format={formatTaxId}
          autoComplete="off"
          autoCapitalize="characters"
        />
      )}
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

function fieldErrorsOf({ code, fields }: RequestError): Partial<Record<FieldName, string>> {
  if (code !== null && code in messages.coupons) {
    return { coupon: messages.coupons[code as keyof typeof messages.coupons] };
  }
  const errors = {
    name: invalid.name,
    email: invalid.email,
    document: invalid.taxId,
    coupon: invalid.other,
  };
  const rejected = Object.entries(API_FIELDS).filter(([path]) => path in fields);
  return Object.fromEntries(rejected.map(([, name]) => [name, errors[name]]));
}
