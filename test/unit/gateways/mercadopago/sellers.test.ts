import { MercadoPagoConfig, OAuth } from 'mercadopago';
import { MercadoPagoDriver } from '../../../../src/gateways/mercadopago/driver';
import type { GatewayContext } from '../../../../src/gateways/gateway';
import {
  chargeRequest,
  created,
  followUp,
  mercadoPagoStub,
  ok,
  payment,
  TOKEN,
  type StubAnswer,
} from './mercadopago-stub';
import { SdkTypes } from './sdk-types';

const driver = new MercadoPagoDriver();
const { recipientAuthorization: authorization } = driver;
const APPLICATION = { clientId: '7741', credentials: { client_secret: 'segredo' } };
const REDIRECT = 'https://payments.example.com/api/v1/consents/gateway_1';
const TOKENS = { access_token: 'APP_USR-a', refresh_token: 'TG-r', expires_in: 15_552_000, user_id: 771 };
const SELLER = {
  recipientId: '771',
  secret: JSON.stringify({ access_token: 'APP_USR-a', refresh_token: 'TG-r' }),
};
const SPLIT = { recipientId: '771', amountCents: 12_990, liable: true, chargeProcessingFee: true };

function platform(...answers: readonly StubAnswer[]) {
  const stub = mercadoPagoStub(...answers);
  const endpoints = { ...stub.ctx.endpoints, auth: 'https://auth.mercadopago.com' };
  return { ...stub, ctx: { ...stub.ctx, ...APPLICATION, endpoints } };
}
const inNameOfSeller = (ctx: GatewayContext, credentials: object = {}): GatewayContext => ({
  ...ctx,
  credentials: { ...APPLICATION.credentials, ...credentials },
  recipient: SELLER,
});

describe('a seller of Mercado Pago', () => {
  it('consents at the address that Mercado Pago’s SDK builds, with a challenge besides', () => {
    const sdk = new OAuth(new MercadoPagoConfig({ accessToken: 'TEST-stub' }));
    const options = { client_id: '7741', redirect_uri: REDIRECT, state: 's' };
    const [own, theirs] = [
      authorization.consentUrl(platform().ctx, { redirectUri: REDIRECT, state: 's', codeChallenge: 'c' }),
      sdk.getAuthorizationURL({ options }),
    ].map((url) => new URL(url));
    expect([own?.origin, own?.pathname]).toEqual([theirs?.origin, theirs?.pathname]);
    expect(Object.fromEntries(own?.searchParams ?? [])).toEqual({
      ...Object.fromEntries(theirs?.searchParams ?? []),
      ...{ code_challenge: 'c', code_challenge_method: 'S256' },
    });
    expect(() =>
      authorization.consentUrl(mercadoPagoStub().ctx, {
        redirectUri: REDIRECT,
        state: 's',
        codeChallenge: 'c',
      }),
    ).toThrow('no application');
  });

  it('gives tokens for a code and for a refresh token, by requests that the SDK’s types know', async () => {
    const stub = platform(ok(TOKENS));
    const grant = { recipientId: '771', secret: SELLER.secret, expiresInMs: 15_552_000_000 };
    const code = { code: 'TG-c', redirectUri: REDIRECT, codeVerifier: 'v' };
    expect(await authorization.redeem(stub.ctx, code)).toEqual(grant);
    expect(await authorization.renew(stub.ctx, SELLER.secret)).toEqual(grant);
    expect(stub.sent.map(({ url }) => url)).toEqual(Array(2).fill('http://mercadopago.invalid/oauth/token'));
    const [{ grant_type, code_verifier, ...created }, { grant_type: kind, ...refresh }] = [
      stub.body(0),
      stub.body(1),
    ];
    expect([grant_type, code_verifier, kind]).toEqual(['authorization_code', 'v', 'refresh_token']);
    expect(new SdkTypes('oAuth/create/types.d.ts').problems(created, 'OAuthRequest')).toEqual([]);
    expect(new SdkTypes('oAuth/refresh/types.d.ts').problems(refresh, 'OAuthRefresh')).toEqual([]);
  });

  it.each([
    [
      'a code or token that has ended',
      { status: 400, body: { message: 'no', error: 'invalid_grant', status: 400 } },
      'invalid_request',
    ],
    [
      'a wrong application',
      { status: 401, body: { message: 'no', error: 'invalid_client', status: 401 } },
      'bad_credentials',
    ],
    ['a page in front', { status: 502, body: '<html>' }, 'ambiguous'],
    ['tokens without a way to renew them', ok({ ...TOKENS, refresh_token: undefined }), 'ambiguous'],
  ] as const)('fails after the answer of %s', async (_, answer, family) => {
    const code = { code: 'TG-c', redirectUri: REDIRECT, codeVerifier: 'v' };
    await expect(authorization.redeem(platform(answer).ctx, code)).rejects.toMatchObject({ family });
  });

  it.each([
    [undefined, undefined],
    ['0', 0],
    ['10', 12.99],
    ['2.5', 3.24],
    ['0.05', 0.06],
    ['100', 129.9],
  ])('pays the platform %s percent of a payment, without a part of a cent', async (percent, fee) => {
    const stub = mercadoPagoStub(TOKEN, created(payment()));
    const ctx = inNameOfSeller(stub.ctx, percent === undefined ? {} : { application_fee_percent: percent });
    await driver.charge(ctx, chargeRequest({ splits: [SPLIT] }));
    expect(stub.sent.map(({ headers }) => headers['authorization'])).toEqual(
      Array(2).fill('Bearer APP_USR-a'),
    );
    expect(stub.body(1)['application_fee']).toBe(fee);
    const types = new SdkTypes('payment/create/types.d.ts');
    expect(types.problems(stub.body(1), 'PaymentCreateRequest')).toEqual([]);
  });

  it('is the only one whose token makes or changes the payment', async () => {
    const stub = mercadoPagoStub(ok({}));
    const own = inNameOfSeller(stub.ctx);
    const other = [{ ...SPLIT, recipientId: '772' }];
    for (const call of [
      driver.charge(stub.ctx, chargeRequest({ splits: [SPLIT] })),
      driver.charge(own, chargeRequest({ splits: other })),
      driver.capture(own, followUp({ amountCents: 12_990, splits: other })),
      driver.refund(own, followUp({ amountCents: 12_990, splits: other })),
    ])
      await expect(call).rejects.toMatchObject({ family: 'invalid_request' });
    expect(stub.sent).toEqual([]);
  });
});
