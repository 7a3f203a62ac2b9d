import { Fieldset, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Schema } from '../../api/client';
import type { OperationForm } from './operation-dialog';
import { messages } from './operation-messages';

export const NO_BANK_ACCOUNT: Schema<'BankAccount'> = {
  holder_name: '',
  holder_type: 'individual',
  holder_document: '',
  bank_code: '',
  branch_number: '',
  account_number: '',
  account_check_digit: '',
  type: 'checking',
};

/** Bank account that receives the refund of a boleto. */
export function BankAccountFields({ form }: { readonly form: UseFormReturnType<OperationForm> }) {
  const field = (name: keyof Schema<'BankAccount'>) => form.getInputProps(`bank_account.${name}`);
  return (
    <Fieldset legend={messages.bankAccount}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput {...field('holder_name')} required label={messages.holderName} />
        <NativeSelect
          {...field('holder_type')}
          label={messages.holderType}
          data={[
            { value: 'individual', label: messages.individual },
            { value: 'company', label: messages.company },
          ]}
        />
        <TextInput {...field('holder_document')} required label={messages.holderDocument} />
        <TextInput {...field('bank_code')} required label={messages.bankCode} />
        <TextInput {...field('branch_number')} required label={messages.branch} />
        <TextInput {...field('account_number')} required label={messages.account} />
        <TextInput {...field('account_check_digit')} required label={messages.checkDigit} />
        <NativeSelect
          {...field('type')}
          label={messages.accountType}
          data={[
            { value: 'checking', label: messages.checking },
            { value: 'savings', label: messages.savings },
          ]}
        />
      </SimpleGrid>
    </Fieldset>
  );
}
