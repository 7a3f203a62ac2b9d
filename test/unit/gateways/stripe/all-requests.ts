import {
  EVIDENCE_KINDS,
  evidenceProblem,
  type EvidenceContent,
} from '../../../../src/domain/disputes/dispute-evidence';
import type { GatewayEvidence } from '../../../../src/gateways/disputes/dispute-driver';
import type { ChargeRequest } from '../../../../src/gateways/gateway';
import type { GatewayHttpRequest } from '../../../../src/gateways/http';
import { StripeDriver } from '../../../../src/gateways/stripe/driver';
import { ADDRESS, chargeRequest, followUp, intent, METHOD, ok, REFERENCE, stripeStub } from './stripe-stub';

const SPLIT = { recipientId: 'acct_1', amountCents: 12_990, liable: false, chargeProcessingFee: false };
const driver = new StripeDriver();
const BILLET = { dueAt: '2099-01-01', expiresAt: '2099-01-04T00:00:00Z', instructions: 'Não receber' };

export async function sentBy(
  call: (stub: ReturnType<typeof stripeStub>) => Promise<unknown>,
  first = METHOD,
  second = ok(intent()),
) {
  const stub = stripeStub(first, second);
  await call(stub).catch(() => null);
  return stub.sent;
}
/** What a charge sends. */
export const charge = (changes: Partial<ChargeRequest>) =>
  sentBy(({ ctx }) => driver.charge(ctx, chargeRequest(changes)));
/** What the verification of a card sends whose issuer asks for its holder. */
export const verify = () => {
  const { currency, customer, card } = chargeRequest();
  if (card === null) throw new Error('the request has no card');
  const initiation = { initiator: 'customer', reason: 'first_saved' } as const;
  const request = { reference: REFERENCE, currency, customer, card, billingAddress: null, initiation };
  const challenge = ok({
    ...{ id: 'seti_1', object: 'setup_intent', status: 'requires_action' },
    metadata: { reference: REFERENCE },
  });
  return sentBy(({ ctx }) => driver.verifyCard(ctx, request), METHOD, challenge);
};
const subject = (reference: string, gatewayTransactionId: string | null) => ({
  reference,
  gatewayTransactionId,
  sentAt: new Date(),
});
/** What a connected account's creation and an inquiry about it send. */
const recipient = async () => {
  const reference = '0190a6f0-7e2c-7c3a-9b1a-2f5d1c3e4b5c';
  const owner = {
    name: 'Ana',
    email: 'ana@example.com',
    document: '52998224725',
    type: 'individual',
  } as const;
  const company = { ...owner, document: '11222333000181', type: 'corporation' } as const;
  const known = { recipientId: null, sentAt: new Date(), information: owner, secret: null };
  const account = ok({
    ...{ id: 'acct_1', object: 'account', details_submitted: false, metadata: { reference } },
  });
  const page = ok({ object: 'list', data: [{ id: 'acct_1', metadata: { reference } }], has_more: false });
  const sent = await Promise.all([
    sentBy(({ ctx }) => driver.createRecipient(ctx, reference, owner), account),
    sentBy(({ ctx }) => driver.createRecipient(ctx, reference, company), account),
    sentBy(({ ctx }) => driver.findRecipient(ctx, reference, known), page, account),
  ]);
  return sent.flat();
};
const DISPUTE = { gatewayDisputeId: 'dp_1' };
/** Every kind of evidence, as a text and as a file where it can be both. */
export const ALL_EVIDENCE: readonly GatewayEvidence[] = EVIDENCE_KINDS.flatMap((kind) => {
  const file = { name: 'a.pdf', contentType: 'application/pdf', bytes: Buffer.from('%PDF-') } as const;
  const forms = [
    { kind, text: `the ${kind}` },
    { kind, file, uploadedId: `file_${kind}` },
  ] as const;
  return forms.filter((piece) => evidenceProblem({ kind, content: contentOf(piece) }) === null);
});

function contentOf(piece: GatewayEvidence): EvidenceContent {
  return 'text' in piece ? { form: 'text', text: piece.text } : { form: 'file', ...piece.file };
}

/** What the answers to a dispute send, and the question about it. */
export const answers = () => {
  const dispute = (status: string) => ok({ id: 'dp_1', object: 'dispute', status });
  return Promise.all([
    sentBy(({ ctx }) => driver.disputes.accept(ctx, DISPUTE), dispute('lost')),
    sentBy(({ ctx }) => driver.disputes.submit(ctx, DISPUTE, ALL_EVIDENCE), dispute('under_review')),
    sentBy(({ ctx }) => driver.disputes.findStatus(ctx, DISPUTE), dispute('won')),
  ]);
};
const emptyPage = ok({ object: 'list', data: [], has_more: false });

/** Every request that the driver can send. */
export async function allRequests(): Promise<readonly GatewayHttpRequest[]> {
  const merchant = { initiator: 'merchant', reason: 'unscheduled', networkIds: null } as const;
  const calls = await Promise.all([
    charge({ billingAddress: ADDRESS, softDescriptor: 'LOJA' }),
    charge({ initiation: { initiator: 'customer', reason: 'first_recurring' } }),
    charge({ initiation: { initiator: 'merchant', reason: 'recurring', networkIds: null } }),
    charge({ initiation: merchant }),
    charge({
      paymentMethod: 'pix',
      card: null,
      pix: { expiresInSeconds: 600, expiresAt: '2026-05-04T12:10:00.000Z', lastDay: null },
    }),
    charge({ paymentMethod: 'billet', card: null, billingAddress: ADDRESS, billet: BILLET }),
    sentBy(({ ctx }) => driver.authorize(ctx, chargeRequest())),
    sentBy(({ ctx }) => driver.capture(ctx, followUp({ reference: `${REFERENCE}-capture` }))),
    sentBy(({ ctx }) => driver.cancel(ctx, followUp({ reference: `${REFERENCE}-cancel` }))),
    sentBy(({ ctx }) => driver.refund(ctx, followUp({ reason: 'pedido cancelado' }))),
    sentBy(({ ctx }) => driver.inquire(ctx, subject(REFERENCE, 'pi_1'))),
    sentBy(({ ctx }) => driver.inquire(ctx, subject(REFERENCE, null)), emptyPage),
    sentBy(async ({ ctx }) => driver.verifyCredentials(ctx)),
    verify(),
    recipient(),
    charge({ splits: [SPLIT] }),
    sentBy(({ ctx }) => driver.refund(ctx, followUp({ splits: [SPLIT] }))),
    answers().then((sent) => sent.flat()),
  ]);
  return calls.flat();
}
