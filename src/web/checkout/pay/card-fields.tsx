import Lock from 'lucide-react/icons/lock-keyhole';
import { digitsOf, formatNumber, cardBrandOf } from './card-number';
import classes from '../checkout.module.css';
import type { CardField } from './card-form';
import { formatExpiry } from './expiry';
import { Field } from '../ui/field';
import { messages } from '../messages';
import { BrandMark } from './brand-mark';
import type { Fields } from './use-fields';

export function CardFields({ fields }: { readonly fields: Fields<CardField> }) {
  const { type, code } = cardBrandOf(fields.values.number);
  return (
    <>
      <Field
        {...fields.bind('number')}
        label={messages.number}
        format={formatNumber}
        inputMode="numeric"
        autoComplete="cc-number"
        placeholder="0000 0000 0000 0000"
        mark={<BrandMark type={type} />}
      />
      <div className={classes.row}>
        <Field
          {...fields.bind('expiry')}
          label={messages.expiry}
          format={formatExpiry}
          inputMode="numeric"
          autoComplete="cc-exp"
          placeholder={messages.expiryFormat}
        />
        <Field
          {...fields.bind('code')}
          label={messages.code(code.name)}
          hint={messages.codeHint(code.size)}
          format={(typed) => digitsOf(typed).slice(0, code.size)}
          inputMode="numeric"
          autoComplete="cc-csc"
          mark={<Lock size={16} aria-hidden />}
        />
      </div>
      <Field {...fields.bind('holder')} label={messages.holder} autoComplete="cc-name" maxLength={100} />
    </>
  );
}
