import Lock from 'lucide-react/icons/lock-keyhole';
import { digitsOf, formatNumber, schemeOf } from './card-number';
import classes from '../checkout.module.css';
import type { CardField } from './card-form';
import { formatExpiry } from './expiry';
import { Field } from '../ui/field';
import { messages } from '../messages';
import { SchemeMark } from './brand-mark';
import type { Fields } from './use-fields';

/** A card, with what its number tells of it. */
export function CardFields({ fields }: { readonly fields: Fields<CardField> }) {
  const { type, code } = schemeOf(fields.values.number);
  return (
    <>
      <Field
        {...fields.bind('number')}
        label={messages.number}
        format={formatNumber}
        inputMode="numeric"
        autoComplete="cc-number"
        placeholder="0000 0000 0000 0000"
        mark={<SchemeMark type={type} />}
      />
      <div className={classes.pair}>
        <Field
          {...fields.bind('expiry')}
          label={messages.expiry}
          format={formatExpiry}
          inputMode="numeric"
          autoComplete="cc-exp"
          placeholder={messages.expiryForm}
        />
        <Field
          {...fields.bind('code')}
          label={messages.code(code.name)}
          hint={messages.codePlace(code.size)}
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
