import { DRIVERS } from '../../../src/composition/drivers';
import type { PaymentMethod } from '../../../src/domain/payments/payment';
import type { PixExpiry } from '../../../src/domain/routing/expiry-support';
import type { Capabilities, IdempotencySupport } from '../../../src/domain/routing/routing';
import type { SplitKind } from '../../../src/domain/routing/split-support';
import { assertNever } from '../../../src/domain/shared/assert-never';
import { supportsAuthorizeOnly, type GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { CallbackProof } from '../../../src/gateways/callback';
import type { GatewayDriver } from '../../../src/gateways/gateway';
import { PROOFS, type Proof, type VendorName, type VendorProofs } from './proofs';

/** The columns, with the slug that the documentation recommends for each vendor. */
const VENDORS: ReadonlyArray<readonly [VendorName, string, GatewaySlug]> = [
  ['adyen', 'Adyen', 'gateway_5'],
  ['asaas', 'Asaas', 'gateway_2'],
  ['cielo', 'Cielo', 'gateway_7'],
  ['pagarme', 'Pagar.me', 'gateway_1'],
  ['mercadopago', 'Mercado Pago', 'gateway_3'],
  ['pix-bacen', 'Pix API of a bank', 'gateway_6'],
  ['stripe', 'Stripe', 'gateway_4'],
];

const BEGIN = '<!-- Made by `npm run docs:gateways` from the drivers. -->';
const END = '<!-- The end of what is made. -->';

const METHOD_WORDS: Readonly<Record<PaymentMethod, string>> = { card: 'card', pix: 'pix', billet: 'boleto' };
const SPLIT_WORDS: Readonly<Record<SplitKind, string>> = {
  exact: 'exact amounts',
  net: 'shares of the net amount',
  fee: 'one recipient, less a fee',
  none: 'no',
};
const IDEMPOTENCY_WORDS: Readonly<Record<IdempotencySupport, string>> = {
  both: 'replay, lookup',
  replay: 'replay',
  lookup: 'lookup',
  none: 'no',
};

type Row = readonly [
  label: string,
  cell: (capabilities: Capabilities, driver: GatewayDriver, slug: GatewaySlug) => string,
];

const CAPABILITY_ROWS: readonly Row[] = [
  ['Recommended for', (_capabilities, _driver, slug) => `\`${slug}\``],
  ['Payment methods', ({ methods }) => methodWords(methods)],
  ['Authorize, capture later', ({ authorizeOnly }, _driver, slug) => authorizeWords(authorizeOnly, slug)],
  ['Partial capture', ({ partialCapture }) => yesOrNo(partialCapture)],
  [
    'Cancels before payment',
    ({ methods, uncancelable = [] }) =>
      methodWords(methods.filter((method) => method !== 'card' && !uncancelable.includes(method))),
  ],
  ['Refund', ({ refundMethods }) => methodWords(refundMethods)],
  ['Partial refund', ({ partialRefund }) => yesOrNo(partialRefund)],
  ['Can be `pending`', ({ pendingOperations }) => pendingOperations.join(', ') || 'nothing'],
  ['Card verification', ({ verifiesCards }) => yesOrNo(verifiesCards)],
  ['Saved cards, renewals', ({ savedCards = 'number' }) => (savedCards === 'token' ? 'by its token' : 'yes')],
  ['Installments', ({ maxInstallments }) => installmentWords(maxInstallments)],
  ['Pix expires', ({ pixExpiry }) => pixExpiryWords(pixExpiry)],
  [
    'Boleto is due',
    ({ billetDueDays }) =>
      billetDueDays === null ? 'no boleto' : `in ${billetDueDays.min} to ${billetDueDays.max} days`,
  ],
  ['Can be paid after expiry', ({ payableAfterExpiry }) => methodWords(payableAfterExpiry)],
  ['Splits', ({ splits }) => SPLIT_WORDS[splits]],
  [
    'Recipients of one payment',
    ({ maxRecipients }) => (maxRecipients === 0 ? 'none' : `up to ${maxRecipients}`),
  ],
  ['Creates recipients', ({ subAccounts }) => yesOrNo(subAccounts)],
  ['After a lost answer', ({ idempotency }) => IDEMPOTENCY_WORDS[idempotency]],
  [
    'Idempotency keys are kept',
    ({ replayWindowMs }) => (replayWindowMs === 0 ? 'no' : durationWords(replayWindowMs)),
  ],
  ['A lookup is complete', ({ idempotency, lookupSettlesMs }) => lookupWords(idempotency, lookupSettlesMs)],
  [
    'A lookup proves absence',
    ({ idempotency, provesAbsence = true }) => (looksUp(idempotency) ? yesOrNo(provesAbsence) : 'no lookup'),
  ],
  [
    'Results come from',
    ({ truth = 'inquiry' }) => (truth === 'inquiry' ? 'answers, inquiries' : 'answers, signed callbacks'),
  ],
  ['Callback signature', (_, { callbackProof }) => callbackWords(callbackProof)],
  [
    'Credentials',
    (_, { credentialFields }) =>
      credentialFields.map(({ name, required }) => `\`${name}\`${required ? '' : ' (optional)'}`).join(', '),
  ],
];

const PROOF_ROWS: ReadonlyArray<readonly [label: string, proof: keyof VendorProofs]> = [
  ['Contract of all drivers', 'contract'],
  ['Requests', 'requests'],
  ['Answers of the fake', 'fake'],
  ['Recorded answers', 'recordedAnswers'],
  ['Signatures', 'signatures'],
  ['Engine', 'engine'],
];

/** The two tables, in Markdown without padding. */
export function vendorTables(): string {
  const header = row(
    '',
    VENDORS.map(([name, title]) => `[${title}](${name}.md)`),
  );
  const rule = row(
    '---',
    VENDORS.map(() => '---'),
  );
  const capabilities = CAPABILITY_ROWS.map(([label, cell]) =>
    row(
      label,
      VENDORS.map(([name, , slug]) => {
        const driver = DRIVERS[name]();
        return cell(driver.capabilities(slug), driver, slug);
      }),
    ),
  );
  const proofs = PROOF_ROWS.map(([label, proof]) =>
    row(
      label,
      VENDORS.map(([name]) => proofWords(PROOFS[name][proof])),
    ),
  );
  return [
    BEGIN,
    '',
    [header, rule, ...capabilities].join('\n'),
    '',
    '## How it is proven',
    '',
    [header, rule, ...proofs].join('\n'),
    '',
    END,
  ].join('\n');
}

/** The page with the tables in place of those that it has. */
export function withVendorTables(page: string): string {
  const [before = '', rest = ''] = page.split(BEGIN);
  return `${before}${vendorTables()}${rest.split(END)[1] ?? ''}`;
}

/** The vendors behind the slugs that the documentation recommends. */
export function recommendedVendors(): ReadonlyMap<GatewaySlug, VendorName> {
  return new Map(VENDORS.map(([name, , slug]) => [slug, name]));
}

/** The vendors that have no column. */
export function missingVendors(): string[] {
  return Object.keys(PROOFS).filter((name) => !VENDORS.some(([shown]) => shown === name));
}

function row(label: string, cells: readonly string[]): string {
  return `| ${[label, ...cells].join(' | ')} |`;
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no';
}

function looksUp(idempotency: IdempotencySupport): boolean {
  return idempotency === 'lookup' || idempotency === 'both';
}

function lookupWords(idempotency: IdempotencySupport, settlesMs: number): string {
  if (!looksUp(idempotency)) return 'no lookup';
  return settlesMs === 0 ? 'at once' : `after ${durationWords(settlesMs)}`;
}

function authorizeWords(supported: boolean, slug: GatewaySlug): string {
  return supported && !supportsAuthorizeOnly(slug) ? `yes, but not behind \`${slug}\`` : yesOrNo(supported);
}

function methodWords(methods: readonly PaymentMethod[]): string {
  return methods.map((method) => METHOD_WORDS[method]).join(', ') || 'none';
}

function installmentWords(most: number | undefined): string {
  if (most === 1) return 'no';
  return most === undefined ? 'any number' : `up to ${most}`;
}

function pixExpiryWords(expiry: PixExpiry | null): string {
  if (expiry === null) return 'no pix';
  switch (expiry.kind) {
    case 'seconds':
      return `after ${durationWords(expiry.minSeconds * 1000)} to ${durationWords(expiry.maxSeconds * 1000)}`;
    case 'fixed':
      return `after ${durationWords(expiry.seconds * 1000)}`;
    case 'day':
      return 'at the end of a day';
    default:
      return assertNever(expiry);
  }
}

const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
] as const;

/** In the largest unit that fits without a rest. */
function durationWords(ms: number): string {
  const [size, unit] = UNITS.find(([unitMs]) => ms % unitMs === 0) ?? [1, 'ms'];
  const count = ms / size;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function callbackWords({ kind, coversBody, coversTime }: CallbackProof): string {
  if (kind === 'none') return 'none';
  if (kind === 'static_token') return 'none, a static token';
  const covered = [coversBody && 'body', coversTime && 'time'].filter((part) => part !== false);
  return `covers ${covered.length === 0 ? 'the id of the charge' : covered.join(' and ')}`;
}

function proofWords(proof: Proof | null): string {
  return proof === null ? 'no' : `[${proof.by}](../../test/${proof.test})`;
}
