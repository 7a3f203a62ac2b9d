export type RecipientStatus = 'pending' | 'active' | 'refused';

export interface Recipient {
  readonly recipientId: string;
  readonly status: RecipientStatus;
  readonly message: string | null;
}

/** The validated `subaccount_information` of the API. */
export type SubaccountInformation = Readonly<Record<string, unknown>> & {
  readonly name: string;
  readonly email: string;
  readonly document: string;
  readonly type: 'individual' | 'corporation';
};
