import { Fieldset, NativeSelect, NumberInput, SimpleGrid, Text } from '@mantine/core';
import type { FormErrors } from '@mantine/form';
import type { Schema } from '../../api/client';
import { CentsInput } from '../../ui/forms/cents-input';
import { listError } from '../../ui/forms/list-error';
import { money, numberMarks } from '../../ui/formats';
import { WRAPPER_ORDER } from '../../ui/layout/wrapper-order';
import type { InstallmentForm } from './installment-form';
import { messages } from './installment-messages';

/** Only payments in BRL have installments. */
const CURRENCY = 'BRL';

interface InstallmentFieldsProps {
  readonly terms: InstallmentForm;
  readonly change: (changed: Partial<InstallmentForm>) => void;
  readonly errors: FormErrors;
  /** The company's terms, which apply where a field is empty; undefined in the form of the company's own terms. */
  readonly company?: Schema<'CompanyConfig'>;
}

/** How many installments a checkout offers, and who pays their interest. */
export function InstallmentFields({ terms, change, errors, company }: InstallmentFieldsProps) {
  const { max_installments: max, min_installment_amount: min, interest } = terms;
  const payers = Object.entries(messages.payers).map(([value, label]) => ({ value, label }));
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <NumberInput
          label={messages.max}
          description={company ? messages.emptyMeans(String(company.max_installments)) : messages.maxHint}
          inputWrapperOrder={WRAPPER_ORDER}
          value={max}
          onChange={(entered) => change({ max_installments: entered })}
          error={errors['max_installments']}
          allowDecimal={false}
          allowNegative={false}
        />
        <CentsInput
          label={messages.min}
          description={company && messages.emptyMeans(money(company.min_installment_amount, CURRENCY))}
          inputWrapperOrder={WRAPPER_ORDER}
          currency={CURRENCY}
          value={min}
          onChange={(cents) => change({ min_installment_amount: cents })}
          error={errors['min_installment_amount']}
        />
        <NativeSelect
          label={messages.interest}
          value={interest}
          onChange={({ currentTarget: { value } }) =>
            change({ interest: value as InstallmentForm['interest'] })
          }
          error={errors['interest']}
          data={[
            ...(company
              ? [{ value: '', label: messages.companyDefault(messages.payers[company.interest]) }]
              : []),
            ...payers,
          ]}
        />
      </SimpleGrid>
      {interest === 'buyer' && (
        <Rates
          max={Number(max === '' ? company?.max_installments : max)}
          rates={terms.interest_rates}
          change={(rates) => change({ interest_rates: rates })}
          error={listError(errors, 'interest_rates')}
          isInheriting={company !== undefined}
        />
      )}
    </>
  );
}

interface RatesProps {
  readonly max: number;
  readonly rates: InstallmentForm['interest_rates'];
  readonly change: (rates: InstallmentForm['interest_rates']) => void;
  readonly error: string | undefined;
  readonly isInheriting: boolean;
}

const MAX_INSTALLMENTS = 24;

function Rates({ max, rates, change, error, isInheriting }: RatesProps) {
  const last = Number.isInteger(max) ? Math.min(max, MAX_INSTALLMENTS) : 1;
  const counts = Array.from({ length: Math.max(0, last - 1) }, (_, index) => index + 2);
  return (
    <Fieldset legend={messages.rates}>
      <Text size="xs" c="dimmed" mb="xs">
        {messages.ratesHint} {isInheriting && messages.inheritedRates}
      </Text>
      <SimpleGrid cols={{ base: 3, xs: 4 }} spacing="xs">
        {counts.map((count) => (
          <NumberInput
            key={count}
            label={messages.rate(count)}
            value={rates[count] ?? ''}
            onChange={(percent) => change({ ...rates, [count]: percent })}
            decimalScale={2}
            decimalSeparator={numberMarks.decimal ?? '.'}
            allowNegative={false}
            suffix=" %"
            hideControls
            inputMode="decimal"
          />
        ))}
      </SimpleGrid>
      {error !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)" mt="xs" role="alert">
          {error}
        </Text>
      )}
    </Fieldset>
  );
}
