import { NumberInput, SegmentedControl, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { CentsInput } from '../../ui/forms/cents-input';
import { FormDialog } from '../../ui/forms/form-dialog';
import { messages as shared } from '../../ui/messages';
import { WRAPPER_ORDER } from '../../ui/layout/wrapper-order';
import { useTimeZone } from '../session';
import { formOf, newCoupon, saveCoupon, type CouponForm } from './coupon-form';
import { messages } from './messages';
import type { Coupon } from './queries';

interface CouponDialogProps {
  /** The coupon to edit; undefined to create one. */
  readonly coupon?: Coupon;
  readonly close: () => void;
}

export function CouponDialog({ coupon, close }: CouponDialogProps) {
  const timeZone = useTimeZone();
  const before = coupon === undefined ? newCoupon(timeZone) : formOf(coupon, timeZone);
  const form = useForm<CouponForm>({ initialValues: before });
  return (
    <FormDialog
      title={coupon === undefined ? messages.add : messages.editTitle}
      action={coupon === undefined ? shared.create : shared.save}
      form={form}
      save={(values) => saveCoupon({ coupon, before, form: values })}
      success={shared.saved}
      reloads={['coupons']}
      close={close}
    >
      {coupon === undefined ? (
        <DiscountFields form={form} />
      ) : (
        <Text size="xs" c="dimmed">
          {coupon.code}: {messages.fixedNote}
        </Text>
      )}
      <TextInput {...form.getInputProps('name')} label={messages.name} required maxLength={255} />
      <Textarea
        {...form.getInputProps('description')}
        label={`${messages.description} (${shared.optional})`}
        autosize
        maxLength={1000}
      />
      <Limits form={form} />
    </FormDialog>
  );
}

interface FieldsProps {
  readonly form: UseFormReturnType<CouponForm>;
}

/** Fields that cannot change after creation. */
function DiscountFields({ form }: FieldsProps) {
  const value = {
    value: form.values.discount_value,
    onChange: (entered: number | null) => form.setFieldValue('discount_value', entered),
    error: form.errors['discount_value'],
  };
  return (
    <>
      <TextInput
        {...form.getInputProps('code')}
        label={messages.code}
        description={messages.codeHint}
        required
        maxLength={50}
        data-autofocus
      />
      <SegmentedControl
        {...form.getInputProps('discount_type')}
        aria-label={messages.discountType}
        data={[
          { value: 'percentage', label: messages.percentage },
          { value: 'fixed', label: messages.fixed },
        ]}
      />
      {form.values.discount_type === 'percentage' ? (
        <NumberInput
          {...value}
          value={value.value ?? ''}
          onChange={(entered) => value.onChange(entered === '' ? null : Number(entered))}
          label={messages.percentage}
          suffix=" %"
          required
          allowDecimal={false}
          allowNegative={false}
        />
      ) : (
        <CentsInput {...value} label={messages.amount} description={messages.amountHint} required />
      )}
    </>
  );
}

function Limits({ form }: FieldsProps) {
  const whole = { allowDecimal: false, allowNegative: false };
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TextInput {...form.getInputProps('valid_from')} type="date" label={messages.from} required />
      <TextInput
        {...form.getInputProps('valid_until')}
        type="date"
        label={`${messages.until} (${shared.optional})`}
        description={messages.untilHint}
        inputWrapperOrder={WRAPPER_ORDER}
      />
      <NumberInput
        {...form.getInputProps('max_redemptions')}
        {...whole}
        label={`${messages.maxUses} (${shared.optional})`}
        description={messages.emptyUses}
        inputWrapperOrder={WRAPPER_ORDER}
      />
      <NumberInput
        {...form.getInputProps('max_cycles')}
        {...whole}
        label={`${messages.maxCycles} (${shared.optional})`}
        description={messages.emptyCycles}
        inputWrapperOrder={WRAPPER_ORDER}
      />
    </SimpleGrid>
  );
}
