import { DOCUMENT_RULE, parseDocument } from '../customers/document';
import { canonicalInformation, type SubAccountInformation } from './subaccount-information';
import { FaultCollector, joinPath, type Validated } from '../shared/validation';

/**
 * A recipient's states. `requested` is not at the gateway; `unknown` was sent and gave no certain answer;
 * `pending` waits for the gateway's own checks.
 *
 *     requested --> unknown --> pending | active | refused
 *     unknown   --> requested (proven absent, or certainly not sent)
 *     pending   --> active | refused
 */
export type SubAccountStatus = 'requested' | 'unknown' | 'pending' | 'active' | 'refused';

/** Whether the gateway has given its word, so that whoever asked for the recipient can be answered. */
export function isAnswered(status: SubAccountStatus): status is 'pending' | 'active' | 'refused' {
  return status === 'pending' || status === 'active' || status === 'refused';
}

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;
const FIRST_PAUSE_MS = 500;
/** About a minute and a half of trying a gateway that cannot be reached; whoever still wants the recipient asks again. */
const TRIES_TO_SEND = 20;
/** About ten minutes of asking every few seconds, then every hour. */
const EAGER_POLLS = 120;
/** A gateway's own checks take minutes or days: ever less often for three hours, every hour for a week, ... */
const HOURLY_POLLS = 190;
/** ... every day until 90 days are over. Whoever asks for the recipient again starts anew. */
const PENDING_POLLS = 273;

/**
 * How long to wait, in ms, before the next step towards a recipient's final state, after `polls` steps since it was
 * requested or since the gateway gave its word. Null when there is none to make.
 */
export function recipientPauseMs(status: SubAccountStatus, polls: number): number | null {
  switch (status) {
    case 'active':
    case 'refused':
      return null;
    case 'requested':
      return polls < TRIES_TO_SEND ? backoff(polls, 5 * SECOND_MS) : null;
    case 'unknown':
      return polls < EAGER_POLLS ? backoff(polls, 5 * SECOND_MS) : HOUR_MS;
    case 'pending':
      if (polls >= PENDING_POLLS) return null;
      return polls < HOURLY_POLLS ? backoff(polls, HOUR_MS) : DAY_MS;
  }
}

function backoff(polls: number, longestMs: number): number {
  return Math.min(Math.round(FIRST_PAUSE_MS * 1.5 ** Math.min(polls, 50)), longestMs);
}

type Field = keyof SubAccountInformation;
type Fault = (field: string, message: string) => void;

const REQUIRED: Readonly<Record<SubAccountInformation['type'], readonly Field[]>> = {
  individual: ['birthdate', 'monthly_income', 'professional_occupation', 'address', 'default_bank_account'],
  corporation: ['trading_name', 'annual_revenue', 'managing_partners', 'address', 'default_bank_account'],
};
const NAMES = {
  individual: { article: 'an individual', document: 'CPF' },
  corporation: { article: 'a corporation', document: 'CNPJ' },
} as const;

/**
 * The rules of specification 4.3 that span fields; structure and lengths are the contract's. What passes comes back
 * in its canonical form, so that the same information is recognized however it was written.
 *
 * @param today Y-m-d, in the company's time zone
 */
export function checkSubAccountInformation(
  information: SubAccountInformation,
  today: string,
  path: string,
): Validated<SubAccountInformation> {
  const faults = new FaultCollector();
  const fault: Fault = (field, message) => {
    faults.add(joinPath(path, field), message);
  };
  const { type } = information;
  for (const field of REQUIRED[type]) {
    if (isMissing(information[field])) fault(field, `is required for ${NAMES[type].article}`);
  }
  if (type === 'individual' && !isMissing(information.company_type)) {
    fault('company_type', 'is for a corporation only');
  }
  checkDocuments(information, fault);
  checkBirthdates(information, today, fault);
  if (faults.found) return { valid: false, errors: faults.errors };
  return { valid: true, value: canonicalInformation(information) };
}

function checkDocuments(information: SubAccountInformation, fault: Fault): void {
  const { article, document } = NAMES[information.type];
  const own = parseDocument(information.document);
  if (own === null) fault('document', DOCUMENT_RULE);
  else if (own.type !== information.type) fault('document', `must be a ${document} for ${article}`);

  for (const [field, text] of otherDocuments(information)) {
    if (parseDocument(text) === null) fault(field, DOCUMENT_RULE);
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

function checkBirthdates(information: SubAccountInformation, today: string, fault: Fault): void {
  const message = 'must not be in the future';
  if ((information.birthdate ?? '') > today) fault('birthdate', message);
  for (const [index, { birthdate }] of (information.managing_partners ?? []).entries()) {
    if (birthdate > today) fault(`managing_partners.${index}.birthdate`, message);
  }
}

function isMissing(value: SubAccountInformation[Field]): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return Array.isArray(value) && value.length === 0;
}
