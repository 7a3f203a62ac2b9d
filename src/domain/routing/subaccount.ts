import { DOCUMENT_RULE, parseDocument } from '../customers/document';
import { canonicalInformation, type SubAccountInformation } from './subaccount-information';
import { FieldErrorCollector, joinPath, type Validated } from '../shared/validation';

/**
 * The states of a recipient. `requested` is not at the gateway; `unknown` was sent and its outcome is not known;
 * `pending` waits for the gateway's own checks.
 *
 *     requested --> unknown --> pending | active | refused
 *     unknown   --> requested (proven absent, or certainly not sent)
 *     pending   --> active | refused
 */
export type SubAccountStatus = 'requested' | 'unknown' | 'pending' | 'active' | 'refused';

/** Whether the gateway has answered, so that the API can respond to the company. */
export function isAnswered(status: SubAccountStatus): status is 'pending' | 'active' | 'refused' {
  return status === 'pending' || status === 'active' || status === 'refused';
}

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;
const FIRST_PAUSE_MS = 500;
/** About 90 s of retries while the gateway is unreachable; a repeated request of the company starts again. */
const MAX_SEND_RETRIES = 20;
/** About ten minutes of polls every few seconds, then hourly. */
const FREQUENT_POLLS = 120;
/** The gateway's checks take minutes or days: exponential backoff for three hours, then hourly until a week has passed. */
const HOURLY_POLLS = 190;
/** Then daily until 90 days have passed. A repeated request of the company starts again. */
const MAX_PENDING_POLLS = 273;

/**
 * How long to wait, in ms, before the next step of a recipient, after `polls` steps since it was requested or since the
 * gateway answered. Null when no step is left.
 */
export function recipientPauseMs(status: SubAccountStatus, polls: number): number | null {
  switch (status) {
    case 'active':
    case 'refused':
      return null;
    case 'requested':
      return polls < MAX_SEND_RETRIES ? backoff(polls, 5 * SECOND_MS) : null;
    case 'unknown':
      return polls < FREQUENT_POLLS ? backoff(polls, 5 * SECOND_MS) : HOUR_MS;
    case 'pending':
      if (polls >= MAX_PENDING_POLLS) return null;
      return polls < HOURLY_POLLS ? backoff(polls, HOUR_MS) : DAY_MS;
  }
}

function backoff(polls: number, longestMs: number): number {
  return Math.min(Math.round(FIRST_PAUSE_MS * 1.5 ** Math.min(polls, 50)), longestMs);
}

type Field = keyof SubAccountInformation;
type AddError = (field: string, message: string) => void;

const REQUIRED: Readonly<Record<SubAccountInformation['type'], readonly Field[]>> = {
  individual: ['birthdate', 'monthly_income', 'professional_occupation', 'address', 'default_bank_account'],
  corporation: ['trading_name', 'annual_revenue', 'managing_partners', 'address', 'default_bank_account'],
};
const NAMES = {
  individual: { article: 'an individual', document: 'CPF' },
  corporation: { article: 'a corporation', document: 'CNPJ' },
} as const;

/**
 * Checks the rules that involve several fields; openapi.yaml checks structure and lengths. Valid information is returned
 * in its canonical form, so that equal information compares equal.
 *
 * @param today Y-m-d, in the company's time zone
 */
export function checkSubAccountInformation(
  information: SubAccountInformation,
  today: string,
  path: string,
): Validated<SubAccountInformation> {
  const errors = new FieldErrorCollector();
  const addError: AddError = (field, message) => {
    errors.add(joinPath(path, field), message);
  };
  const { type } = information;
  for (const field of REQUIRED[type]) {
    if (isMissing(information[field])) addError(field, `is required for ${NAMES[type].article}`);
  }
  if (type === 'individual' && !isMissing(information.company_type)) {
    addError('company_type', 'is for a corporation only');
  }
  checkDocuments(information, addError);
  checkBirthdates(information, today, addError);
  if (errors.hasErrors) return { valid: false, errors: errors.errors };
  return { valid: true, value: canonicalInformation(information) };
}

function checkDocuments(information: SubAccountInformation, addError: AddError): void {
  const { article, document } = NAMES[information.type];
  const own = parseDocument(information.document);
  if (own === null) addError('document', DOCUMENT_RULE);
  else if (own.type !== information.type) addError('document', `must be a ${document} for ${article}`);

  for (const [field, text] of otherDocuments(information)) {
    if (parseDocument(text) === null) addError(field, DOCUMENT_RULE);
  }
}

function otherDocuments(
  information: SubAccountInformation,
): ReadonlyArray<readonly [field: string, text: string]> {
  const partners = information.managing_partners ?? [];
  return [
    ['default_bank_account.holder_document', information.default_bank_account.holder_document],
    ...partners.map(({ document }, index) => [`managing_partners.${index}.document`, document] as const),
  ];
}

function checkBirthdates(information: SubAccountInformation, today: string, addError: AddError): void {
  const message = 'must not be in the future';
  if ((information.birthdate ?? '') > today) addError('birthdate', message);
  for (const [index, { birthdate }] of (information.managing_partners ?? []).entries()) {
    if (birthdate > today) addError(`managing_partners.${index}.birthdate`, message);
  }
}

function isMissing(value: SubAccountInformation[Field]): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return Array.isArray(value) && value.length === 0;
}
