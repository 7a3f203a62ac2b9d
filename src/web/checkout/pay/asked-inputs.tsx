import classes from '../checkout.module.css';
import { messages } from '../messages';
import { Field } from '../ui/field';
import type { Asked, AskedField } from './asked-fields';
import type { Fields } from './use-fields';

interface AskedInputsProps {
  readonly asked: Asked;
  readonly fields: Fields<AskedField>;
}

export function AskedInputs({ asked, fields }: AskedInputsProps) {
  return (
    <>
      {asked.phone && (
        <Field
          {...fields.bind('phone')}
          label={messages.phone}
          hint={messages.askedHint}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          maxLength={25}
        />
      )}
      {asked.address && <AddressInputs fields={fields} />}
    </>
  );
}

function AddressInputs({ fields }: Pick<AskedInputsProps, 'fields'>) {
  const { address } = messages;
  return (
    <>
      <Field
        {...fields.bind('zip')}
        label={address.zip}
        hint={messages.askedHint}
        inputMode="numeric"
        autoComplete="billing postal-code"
        maxLength={9}
      />
      <Field
        {...fields.bind('street')}
        label={address.street}
        autoComplete="billing address-line1"
        maxLength={255}
      />
      <div className={classes.row}>
        <Field {...fields.bind('houseNumber')} label={address.number} autoComplete="off" maxLength={20} />
        <Field
          {...fields.bind('complement')}
          label={address.complement}
          autoComplete="billing address-line2"
          maxLength={255}
          isOptional
        />
      </div>
      <Field
        {...fields.bind('neighborhood')}
        label={address.neighborhood}
        autoComplete="billing address-level3"
        maxLength={80}
      />
      <div className={classes.row}>
        <Field
          {...fields.bind('city')}
          label={address.city}
          autoComplete="billing address-level2"
          maxLength={80}
        />
        <Field
          {...fields.bind('state')}
          label={address.state}
          autoComplete="billing address-level1"
          maxLength={2}
        />
      </div>
    </>
  );
}
