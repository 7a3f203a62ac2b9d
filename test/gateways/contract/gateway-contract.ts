import { randomUUID } from 'node:crypto';
import type { GatewaySlug } from '../../../src/domain/gateway-slug';
import { declineRule } from '../../../src/domain/decline';
import { GatewayError, type GatewayErrorFamily } from '../../../src/gateways/errors';
import type {
  Accepted,
  ChargeRequest,
  FollowUp,
  GatewayCard,
  GatewayContext,
  GatewayDriver,
  InquiryResult,
  Outcome,
} from '../../../src/gateways/gateway';
import { GatewayHttp } from '../../../src/gateways/http';
import { waitFor } from '../../support/wait-for';

/** How a gateway misbehaves for one payment's next request, or for one operation's. */
export type Trouble =
  | { readonly status: number }
  | { readonly delay_ms: number }
  | { readonly drop: 'before' | 'after' }
  | { readonly hang: 'before' | 'after' }
  | { readonly truncate: true; readonly drop?: 'after' }
  | { readonly html: number }
  | { readonly duplicate_id: true };

/** A driver, and the gateway it talks to: a simulator or a vendor's stand-in that can be made to misbehave. */
export interface GatewayUnderTest {
  readonly driver: GatewayDriver;
  readonly slug: GatewaySlug;
  readonly baseUrl: string;
  readonly goodSecret: string;
  readonly badSecret: string;
  readonly approvedCard: string;
  /** Card numbers that are declined, by response code. */
  readonly declinedCards: Readonly<Record<string, string>>;
  /** The document a recipient is made with, by the state it is then in. */
  readonly documents: Readonly<Record<'active' | 'pending' | 'refused', string>>;
  /** The next request for this payment, of this operation if one is named, meets the trouble. */
  causeTrouble(transactionId: string, trouble: Trouble, operation?: string): Promise<void>;
  /** Captured and not returned, over all charges of a payment, as the gateway itself tells. */
  netCapturedCents(transactionId: string): Promise<number>;
  /** How many requests of the payment reached the gateway. */
  requestCount(transactionId: string): Promise<number>;
}

const TIMEOUT_MS = 5_000;
/** For calls that are to time out. */
const SHORT_TIMEOUT_MS = 300;
const AMOUNT = 12_990;

/** What every gateway driver must keep; capabilities decide which of the promises about lost answers apply. */
export function describeGatewayContract(name: string, makeSubject: () => GatewayUnderTest): void {
  describe(`gateway driver contract: ${name}`, () => {
    let subject: GatewayUnderTest;
    let http: GatewayHttp;

    beforeAll(() => {
      subject = makeSubject();
      http = new GatewayHttp();
    });
    afterAll(() => http.close());

    const able = () => subject.driver.capabilities(subject.slug);
    const replays = () => ['both', 'replay'].includes(able().idempotency);
    const looksUp = () => ['both', 'lookup'].includes(able().idempotency);

    const context = (changes: Partial<GatewayContext> = {}): GatewayContext => ({
      gateway: subject.slug,
      baseUrl: subject.baseUrl,
      secretKey: subject.goodSecret,
      clientId: null,
      idempotencyKey: randomUUID(),
      sendBefore: Date.now() + 2_000,
      timeoutMs: TIMEOUT_MS,
      http,
      ...changes,
    });
    const card = (number = subject.approvedCard): GatewayCard => ({
      number,
      cvv: '123',
      holderName: 'ANA LIMA',
      expireMonth: 12,
      expireYear: new Date().getUTCFullYear() + 3,
      brand: 'visa',
    });
    const payment = (changes: Partial<ChargeRequest> = {}) => {
      const transactionId = randomUUID();
      const request: ChargeRequest = {
        reference: `${transactionId}-1`,
        amountCents: AMOUNT,
        currency: 'BRL',
        paymentMethod: 'card',
        installments: 1,
        softDescriptor: null,
        customer: { name: 'Ana Lima', email: 'ana@example.com', document: '52998224725' },
        card: card(),
        billingAddress: null,
        splits: [],
        ...changes,
      };
      return { transactionId, request };
    };
    const followUp = (charge: Accepted, reference: string, amountCents = AMOUNT): FollowUp => ({
      reference,
      gatewayTransactionId: charge.gatewayTransactionId,
      amountCents,
      splits: [],
    });
    const charged = async () => {
      const { transactionId, request } = payment();
      return { transactionId, request, charge: accepted(await subject.driver.charge(context(), request)) };
    };
    const inquire = (reference: string, gatewayTransactionId: string | null = null) =>
      subject.driver.inquire(context(), { reference, gatewayTransactionId });

    describe('charges', () => {
      it('approves a charge with its own id, amount and authorization code', async () => {
        const { transactionId, charge } = await charged();
        expect(charge).toMatchObject({ kind: 'approved', amountCents: AMOUNT, responseCode: '00' });
        expect(charge.gatewayTransactionId).not.toBe('');
        expect(charge.authorizationCode).toMatch(/^\w{6}$/);
        expect(await subject.netCapturedCents(transactionId)).toBe(AMOUNT);
      });

      it('charges a saved card, which has no CVV', async () => {
        const { request } = payment({ card: { ...card(), cvv: null } });
        expect(await subject.driver.charge(context(), request)).toMatchObject({ kind: 'approved' });
      });

      it('tells every decline as a value, with its code and class', async () => {
        for (const [code, number] of Object.entries(subject.declinedCards)) {
          const { transactionId, request } = payment({ card: card(number) });
          const outcome = await subject.driver.charge(context(), request);
          expect(outcome).toMatchObject({ kind: 'declined', code, class: declineRule(code).class });
          expect(await subject.netCapturedCents(transactionId)).toBe(0);
        }
      });

      it('refuses a payment method it does not take before anything is sent', async () => {
        const { transactionId, request } = payment({ paymentMethod: unsupportedMethod() });
        await expectFamily(subject.driver.charge(context(), request), 'unsupported');
        expect(await subject.requestCount(transactionId)).toBe(0);
      });

      const unsupportedMethod = () =>
        (['billet', 'pix', 'card'] as const).find((method) => !able().methods.includes(method)) ?? 'card';
    });

    describe('authorizations', () => {
      it('reserves without capturing, or is unsupported and sends nothing', async () => {
        const { transactionId, request } = payment();
        const authorizing = subject.driver.authorize(context(), request);
        if (!able().authorizeOnly) {
          await expectFamily(authorizing, 'unsupported');
          expect(await subject.requestCount(transactionId)).toBe(0);
          return;
        }
        const authorized = accepted(await authorizing);
        expect(authorized).toMatchObject({ kind: 'authorized', amountCents: AMOUNT });
        expect(Date.parse(authorized.captureBefore ?? '')).toBeGreaterThan(Date.now());
        expect(await subject.netCapturedCents(transactionId)).toBe(0);
      });

      it('captures a part of what was authorized, once', async () => {
        if (!able().authorizeOnly) return;
        const { transactionId, request } = payment();
        const authorized = accepted(await subject.driver.authorize(context(), request));
        const capture = followUp(authorized, `${transactionId}-2-capture`, AMOUNT - 990);
        const captured = await subject.driver.capture(context(), capture);
        expect(captured).toMatchObject({ kind: 'approved', amountCents: AMOUNT - 990 });
        const again = followUp(authorized, `${transactionId}-3-capture`, 990);
        await expectFamily(subject.driver.capture(context(), again), 'invalid_request');
        expect(await subject.netCapturedCents(transactionId)).toBe(AMOUNT - 990);
      });

      it('does not capture more than was authorized', async () => {
        if (!able().authorizeOnly) return;
        const { transactionId, request } = payment();
        const authorized = accepted(await subject.driver.authorize(context(), request));
        const capture = followUp(authorized, `${transactionId}-2-capture`, AMOUNT + 1);
        await expectFamily(subject.driver.capture(context(), capture), 'invalid_request');
        expect(await subject.netCapturedCents(transactionId)).toBe(0);
      });

      it('cancels an authorization, which can then not be captured', async () => {
        if (!able().authorizeOnly) return;
        const { transactionId, request } = payment();
        const authorized = accepted(await subject.driver.authorize(context(), request));
        const cancel = followUp(authorized, `${transactionId}-2-cancel`);
        expect(await subject.driver.cancel(context(), cancel)).toMatchObject({
          kind: 'canceled',
          amountCents: AMOUNT,
        });
        const capture = followUp(authorized, `${transactionId}-3-capture`);
        await expectFamily(subject.driver.capture(context(), capture), 'invalid_request');
      });
    });

    describe('refunds', () => {
      it('returns parts until nothing is left, and never more', async () => {
        const { transactionId, charge } = await charged();
        const refund = (number: number, amountCents: number) =>
          subject.driver.refund(
            context(),
            followUp(charge, `${transactionId}-${number}-refund`, amountCents),
          );
        expect(await refund(2, 4_000)).toMatchObject({ kind: 'refunded', amountCents: 4_000 });
        await expectFamily(refund(3, AMOUNT), 'invalid_request');
        expect(await refund(4, AMOUNT - 4_000)).toMatchObject({ kind: 'refunded' });
        expect(await subject.netCapturedCents(transactionId)).toBe(0);
      });

      it('refuses to act on a charge that the gateway does not know', async () => {
        const { transactionId, charge } = await charged();
        const stranger = { ...charge, gatewayTransactionId: randomUUID() };
        const refund = followUp(stranger, `${transactionId}-2-refund`);
        await expectFamily(subject.driver.refund(context(), refund), 'invalid_request');
      });
    });

    describe('errors', () => {
      it.each<[Trouble, GatewayErrorFamily]>([
        [{ status: 400 }, 'invalid_request'],
        [{ status: 422 }, 'invalid_request'],
        [{ status: 401 }, 'bad_credentials'],
        [{ status: 403 }, 'bad_credentials'],
        [{ status: 429 }, 'rate_limited'],
        [{ status: 409 }, 'ambiguous'],
        [{ status: 408 }, 'ambiguous'],
        [{ status: 500 }, 'ambiguous'],
        [{ status: 503 }, 'ambiguous'],
        [{ html: 502 }, 'ambiguous'],
        [{ html: 200 }, 'ambiguous'],
        [{ html: 404 }, 'ambiguous'],
        [{ truncate: true }, 'ambiguous'],
        [{ truncate: true, drop: 'after' }, 'ambiguous'],
        [{ drop: 'before' }, 'ambiguous'],
        [{ drop: 'after' }, 'ambiguous'],
        [{ duplicate_id: true }, 'ambiguous'],
      ])('%j is %s', async (trouble, family) => {
        await charged();
        const { transactionId, request } = payment();
        await subject.causeTrouble(transactionId, trouble);
        await expectFamily(subject.driver.charge(context(), request), family);
      });

      it.each<Trouble>([{ hang: 'before' }, { hang: 'after' }, { delay_ms: 2 * SHORT_TIMEOUT_MS }])(
        'a call that times out after %j is ambiguous',
        async (trouble) => {
          const { transactionId, request } = payment();
          await subject.causeTrouble(transactionId, trouble);
          const ctx = context({ timeoutMs: SHORT_TIMEOUT_MS });
          await expectFamily(subject.driver.charge(ctx, request), 'ambiguous');
        },
      );

      it('says bad credentials for a secret the gateway does not accept, and charges nothing', async () => {
        const { transactionId, request } = payment();
        const ctx = context({ secretKey: subject.badSecret });
        await expectFamily(subject.driver.charge(ctx, request), 'bad_credentials');
        expect(await subject.netCapturedCents(transactionId)).toBe(0);
      });

      it('says not sent when the gateway refuses the connection', async () => {
        const { request } = payment();
        const ctx = context({ baseUrl: 'http://127.0.0.1:1' });
        await expectFamily(subject.driver.charge(ctx, request), 'not_sent');
      });

      it('says not sent for a name that does not resolve', async () => {
        const { request } = payment();
        const ctx = context({ baseUrl: 'http://gateway.invalid' });
        await expectFamily(subject.driver.charge(ctx, request), 'not_sent');
      });

      it('sends nothing once the send window has passed', async () => {
        const { transactionId, request } = payment();
        const ctx = context({ sendBefore: Date.now() - 1 });
        await expectFamily(subject.driver.charge(ctx, request), 'not_sent');
        expect(await subject.requestCount(transactionId)).toBe(0);
      });

      it('puts neither the card, nor the secret, nor the customer into an error', async () => {
        const { transactionId, request } = payment();
        await subject.causeTrouble(transactionId, { status: 422 });
        const error = await subject.driver.charge(context(), request).catch((thrown: unknown) => thrown);
        const text = `${String(error)} ${JSON.stringify(error)}`;
        for (const secret of [subject.approvedCard, subject.goodSecret, 'Ana', '52998224725']) {
          expect(text).not.toContain(secret);
        }
      });
    });

    describe('a lost answer', () => {
      it('is found by our reference, or said to be inconclusive where that cannot be looked up', async () => {
        const { transactionId, request } = payment();
        await subject.causeTrouble(transactionId, { drop: 'after' });
        await expectFamily(subject.driver.charge(context(), request), 'ambiguous');
        const result = await inquire(request.reference);
        if (looksUp()) expect(found(result)).toMatchObject({ kind: 'approved', amountCents: AMOUNT });
        else expect(result.kind).toBe('inconclusive');
        expect(await subject.netCapturedCents(transactionId)).toBe(AMOUNT);
      });

      it('is given again for the same key where keys are replayed, and charges once', async () => {
        if (!replays()) return;
        const { transactionId, request } = payment();
        await subject.causeTrouble(transactionId, { drop: 'after' });
        const ctx = context();
        await expectFamily(subject.driver.charge(ctx, request), 'ambiguous');
        const replayed = accepted(await subject.driver.charge(ctx, request));
        expect(replayed).toMatchObject({ kind: 'approved', amountCents: AMOUNT });
        expect(await subject.driver.charge(ctx, request)).toEqual(replayed);
        expect(await subject.netCapturedCents(transactionId)).toBe(AMOUNT);
      });

      it('of a decline is given again too', async () => {
        if (!replays()) return;
        const [number] = Object.values(subject.declinedCards);
        const { request } = payment({ card: card(number) });
        const ctx = context();
        const declined = await subject.driver.charge(ctx, request);
        expect(await subject.driver.charge(ctx, request)).toEqual(declined);
      });

      it('charges twice where keys are not replayed, which is why an engine must not send twice', async () => {
        if (replays()) return;
        const { transactionId, request } = payment();
        const ctx = context();
        await subject.driver.charge(ctx, request);
        await subject.driver.charge(ctx, request);
        expect(await subject.netCapturedCents(transactionId)).toBe(2 * AMOUNT);
        expect((await inquire(request.reference)).kind).toBe('inconclusive');
      });

      it('leaves a key that meets its own unfinished request ambiguous', async () => {
        if (!replays()) return;
        const { transactionId, request } = payment();
        await subject.causeTrouble(transactionId, { delay_ms: 500 });
        const ctx = context();
        const first = subject.driver.charge(ctx, request);
        await waitFor(async () => (await subject.requestCount(transactionId)) === 1);
        await expectFamily(subject.driver.charge(ctx, request), 'ambiguous');
        expect((await first).kind).toBe('approved');
        expect(await subject.netCapturedCents(transactionId)).toBe(AMOUNT);
      });

      it('does not let a key be used for another request', async () => {
        if (!replays()) return;
        const { request } = payment();
        const ctx = context();
        await subject.driver.charge(ctx, request);
        const other = { ...request, amountCents: AMOUNT + 1 };
        await expectFamily(subject.driver.charge(ctx, other), 'invalid_request');
      });
    });

    describe('inquiry', () => {
      it('finds a charge by the id of the gateway, everywhere', async () => {
        const { request, charge } = await charged();
        const outcome = found(await inquire(request.reference, charge.gatewayTransactionId));
        expect(outcome).toMatchObject({
          kind: 'approved',
          gatewayTransactionId: charge.gatewayTransactionId,
          authorizationCode: charge.authorizationCode,
        });
      });

      it('finds a decline', async () => {
        const [code, number] = Object.entries(subject.declinedCards)[0] ?? [];
        const { request } = payment({ card: card(number) });
        const declined = await subject.driver.charge(context(), request);
        const outcome = found(await inquire(request.reference, declined.gatewayTransactionId));
        expect(outcome).toMatchObject({ kind: 'declined', code });
      });

      it('says not found of a charge that never arrived, where it can look up', async () => {
        const { transactionId, request } = payment();
        await subject.causeTrouble(transactionId, { drop: 'before' });
        await expectFamily(subject.driver.charge(context(), request), 'ambiguous');
        expect((await inquire(request.reference)).kind).toBe(looksUp() ? 'not_found' : 'inconclusive');
      });

      it('says not found of a request that hangs for ever without committing, where it can look up', async () => {
        const { transactionId, request } = payment();
        await subject.causeTrouble(transactionId, { hang: 'before' });
        const ctx = context({ timeoutMs: SHORT_TIMEOUT_MS });
        await expectFamily(subject.driver.charge(ctx, request), 'ambiguous');
        expect((await inquire(request.reference)).kind).toBe(looksUp() ? 'not_found' : 'inconclusive');
      });

      it('is inconclusive while a request may still commit, whether or not its client waits', async () => {
        const { transactionId, request } = payment();
        await subject.causeTrouble(transactionId, { delay_ms: 1_500 });
        const ctx = context({ timeoutMs: SHORT_TIMEOUT_MS });
        await expectFamily(subject.driver.charge(ctx, request), 'ambiguous');
        expect((await inquire(request.reference)).kind).toBe('inconclusive');
        await waitFor(async () => (await subject.netCapturedCents(transactionId)) === AMOUNT);
        if (looksUp()) expect(found(await inquire(request.reference)).kind).toBe('approved');
      });

      it('is inconclusive when the gateway does not answer it, and never throws', async () => {
        const { transactionId, request, charge } = await charged();
        for (const trouble of [
          { status: 500 },
          { status: 401 },
          { truncate: true },
          { drop: 'after' },
        ] as const) {
          await subject.causeTrouble(transactionId, trouble, 'inquiry');
          if (!looksUp()) await subject.causeTrouble(transactionId, trouble, 'inquiry');
          expect((await inquire(request.reference, charge.gatewayTransactionId)).kind).toBe('inconclusive');
        }
      });

      it('does not take the charge of another payment for ours', async () => {
        const { charge } = await charged();
        const { request } = payment();
        const result = await inquire(request.reference, charge.gatewayTransactionId);
        expect(result.kind).toBe(looksUp() ? 'not_found' : 'inconclusive');
      });

      it('tells whether a refund whose answer was lost has happened', async () => {
        const { transactionId, charge } = await charged();
        const lost = followUp(charge, `${transactionId}-2-refund`, 5_000);
        await subject.causeTrouble(transactionId, { drop: 'before' }, 'refund');
        await expectFamily(subject.driver.refund(context(), lost), 'ambiguous');
        expect((await inquire(lost.reference, charge.gatewayTransactionId)).kind).toBe('not_found');
        const done = followUp(charge, `${transactionId}-3-refund`, 5_000);
        await subject.causeTrouble(transactionId, { drop: 'after' }, 'refund');
        await expectFamily(subject.driver.refund(context(), done), 'ambiguous');
        const outcome = found(await inquire(done.reference, charge.gatewayTransactionId));
        expect(outcome).toMatchObject({ kind: 'refunded', amountCents: 5_000 });
      });
    });

    describe('splits and recipients', () => {
      const information = (document: string) => ({
        name: 'Loja da Ana',
        email: 'loja@example.com',
        document,
        type: 'individual' as const,
      });
      const recipients = () => {
        const { createRecipient, findRecipient } = subject.driver;
        if (createRecipient === undefined || findRecipient === undefined) return null;
        return {
          create: createRecipient.bind(subject.driver),
          find: findRecipient.bind(subject.driver),
        };
      };

      it.each(['active', 'pending', 'refused'] as const)(
        'makes a recipient that is %s, and finds it',
        async (status) => {
          const calls = recipients();
          if (calls === null) return;
          const reference = randomUUID();
          expect(await calls.find(context(), reference)).toBeNull();
          const made = await calls.create(context(), reference, information(subject.documents[status]));
          expect(made.status).toBe(status);
          expect(await calls.find(context(), reference)).toEqual(made);
        },
      );

      it('finds the recipient whose answer was lost', async () => {
        const calls = recipients();
        if (calls === null) return;
        const reference = randomUUID();
        await subject.causeTrouble(reference, { drop: 'after' }, 'recipient');
        const ctx = context();
        await expectFamily(calls.create(ctx, reference, information(subject.documents.active)), 'ambiguous');
        const made = await calls.find(context(), reference);
        expect(made?.status).toBe('active');
        if (!replays()) return;
        expect(await calls.create(ctx, reference, information(subject.documents.active))).toEqual(made);
      });

      it('splits a charge among recipients, and refuses parts that do not sum up', async () => {
        const calls = recipients();
        if (calls === null || !able().splits) return;
        const made = await calls.create(context(), randomUUID(), information(subject.documents.active));
        const part = { recipientId: made.recipientId, liable: true, chargeProcessingFee: true };
        const whole = payment({ splits: [{ ...part, amountCents: AMOUNT }] });
        expect(await subject.driver.charge(context(), whole.request)).toMatchObject({ kind: 'approved' });
        const short = payment({ splits: [{ ...part, amountCents: AMOUNT - 1 }] });
        await expectFamily(subject.driver.charge(context(), short.request), 'invalid_request');
        expect(await subject.netCapturedCents(short.transactionId)).toBe(0);
      });
    });
  });
}

function accepted(outcome: Outcome): Accepted {
  if (outcome.kind === 'declined') throw new Error(`declined: ${outcome.code}`);
  return outcome;
}

function found(result: InquiryResult): Outcome {
  if (result.kind !== 'found') throw new Error(`the inquiry is ${JSON.stringify(result)}`);
  return result.outcome;
}

async function expectFamily(call: Promise<unknown>, family: GatewayErrorFamily): Promise<void> {
  const error = await call.then(
    (value) => value,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(GatewayError);
  expect(error).toMatchObject({ family });
}
