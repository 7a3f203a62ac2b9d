import {
  awaitRecipient,
  type RequestRecipientsDeps,
} from '../../../src/application/companies/request-recipients';
import {
  CreateSubAccount,
  type CreateSubAccountDeps,
} from '../../../src/application/companies/create-sub-account';
import type { SubAccountRef } from '../../../src/persistence/gateways/sub-account-repository';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { presentSubAccount } from '../../../src/presenters/sub-account';
import { individual } from '../domain/subaccount-fixtures';

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

it.each([
  [URL, 0],
  [null, 1],
])(
  'the answer to a creation with the link %s is recorded %d times for its key',
  async (consentUrl, times) => {
    const recorded: unknown[] = [];
    const row = { ...PENDING, consentUrl };
    const deps = {
      idempotency: {
        find: () => Promise.resolve(null),
        claim: () => Promise.resolve(true),
        setSubAccount: () => Promise.resolve(),
        recordAnswer: (...answer: unknown[]) => Promise.resolve(recorded.push(answer)),
      },
      subAccounts: { insertOrRestart: () => Promise.resolve(row), get: () => Promise.resolve(row) },
      recipients: { awaitRecipient: () => Promise.resolve({ status: 'pending', message: null }) },
      db: { inTransaction: (work: (tx: object) => unknown) => work({}) },
      registries: { of: () => ({ isOffered: () => true, capabilities: () => ({ subAccounts: true }) }) },
      envelope: { seal: () => Promise.resolve({}) },
      ...{
        fingerprintKeys: ['f'] as const,
        requestHashKeys: ['r'] as const,
        syncTimeoutMs: 1,
        present: (shown: object) => shown,
      },
    } as unknown as CreateSubAccountDeps;
    await new CreateSubAccount(deps).execute({
      company: { id: 1, timezone: 'America/Sao_Paulo' } as AuthenticatedCompany,
      ...{ idempotencyKey: 'k', slug: 'gateway_1', receivedAt: new Date(), information: individual() },
    });
    expect(recorded).toHaveLength(times);
  },
);
