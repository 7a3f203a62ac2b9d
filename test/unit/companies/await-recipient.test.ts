import {
  awaitRecipient,
  type RequestRecipientsDeps,
} from '../../../src/application/companies/request-recipients';
import type { SubAccountRef } from '../../../src/persistence/gateways/sub-account-repository';
import { presentSubAccount } from '../../../src/presenters/sub-account';

const PENDING = { id: 's', companyId: 1, gatewaySlug: 'gateway_1', status: 'pending' } as const;
const URL = 'https://vendor.example/consent/1';

it('a gateway is asked again about a recipient that needs consent, because its link may be too old, and about no other', async () => {
  const asked: unknown[] = [];
  const recipients = { awaitRecipient: (ref: SubAccountRef) => Promise.resolve(asked.push(ref.consentUrl)) };
  const deps = { recipients } as unknown as RequestRecipientsDeps;
  for (const consentUrl of [URL, null]) {
    const outcome = await awaitRecipient(deps, { ...PENDING, consentUrl } as SubAccountRef, new Date());
    expect(outcome.status).toBe('pending');
  }
  expect(asked).toEqual([URL]);
});

it('a recipient that needs consent is shown as pending with the link, and without an id until the consent', () => {
  const row = { ...PENDING, recipientId: 're_1', message: null, name: 'Ana', documentMasked: '***' };
  const shown = (consentUrl: string | null) =>
    presentSubAccount({ ...row, consentUrl, createdAt: new Date(0) });
  expect(shown(URL)).toMatchObject({ status: 'pending', recipient_id: null, consent_url: URL });
  expect(shown(null)).toMatchObject({ status: 'pending', recipient_id: 're_1', consent_url: null });
});
