import type { GatewaySlug } from '../../../domain/shared/gateway-slug';
import { recipientStatusFor, type StoredRecipient } from '../../recipients';
import type { SimulatorResponse } from '../../replies';
import type { SimulatorCore } from '../adapter';
import { type AsaasEndpoint, type AsaasObject, type AsaasRequest, NO_PAYMENT, ok, reply } from './endpoint';
import { invalid, invalidBody, notFound } from './errors';
import { ownWalletOf, recipientOfSubaccount, recipientOfWallet, subaccountIdOf, walletIdOf } from './ids';
import { pageOf, pagingOf } from './pages';
import { accountBody, type AsaasAccountBody, accountQuery } from './parameters';

const KEY = /^\$aact_hmlg_000([0-9a-f-]{36})$/;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const MAX_STORED = 10_000;

/** Subaccounts, which are the core's recipients. Personal data stays in memory and ends with the process. */
export class AsaasAccounts {
  private readonly created = new Map<string, { readonly account: string; readonly body: AsaasAccountBody }>();

  constructor(private readonly core: SimulatorCore) {}

  /**
   * `POST /v3/accounts`: https://docs.asaas.com/reference/create-subaccount. Its key is answered only here. Asaas has no field
   * for our reference, so scripts find a request by the first UUID in it.
   */
  create({ gateway, body }: AsaasRequest): AsaasEndpoint {
    const reference = UUID.exec(JSON.stringify(body ?? {}))?.[0] ?? null;
    return {
      summary: { operation: 'recipient', amount: null, reference },
      run: ({ account, behavior }) => {
        const parsed = accountBody.safeParse(body);
        if (!parsed.success) return { response: invalidBody(parsed.error) };
        if (parsed.data.cpfCnpj.length === 11 && parsed.data.birthDate === null)
          return { response: invalid('invalid_birthDate', 'Informe a data de nascimento.') };
        const status = behavior.recipient ?? recipientStatusFor(parsed.data.cpfCnpj);
        const fields = { gateway, reference: reference ?? '', idempotencyKey: null, status };
        const recipient = this.core.recipients.create(fields, new Date());
        this.created.set(recipient.id, { account, body: parsed.data });
        const [oldest] = this.created.keys();
        if (this.created.size > MAX_STORED && oldest !== undefined) this.created.delete(oldest);
        const apiKey = `$aact_hmlg_000${walletIdOf(recipient.id)}`;
        return { response: ok({ ...this.show(recipient), apiKey }) };
      },
    };
  }

  /** `GET /v3/accounts`: `ListSubaccountsParameters` of the SDK. */
  list({ gateway, query }: AsaasRequest): AsaasEndpoint {
    // As `create`: scripts find the request by a UUID in it.
    const reference = UUID.exec(query.toString())?.[0] ?? null;
    const list = reply(({ account }) => {
      const parsed = accountQuery.safeParse(Object.fromEntries(query));
      const paging = pagingOf(query);
      if (!parsed.success) return invalidBody(parsed.error);
      if ('status' in paging) return paging;
      const { offset: _offset, limit: _limit, ...filter } = parsed.data;
      const found = [...this.created]
        .filter(([, each]) => each.account === account)
        .flatMap(([id]) => this.core.recipients.find(gateway, id) ?? [])
        .map((recipient) => this.show(recipient))
        .filter((shown) => Object.entries(filter).every(([name, value]) => shown[name] === value));
      return ok(pageOf(found, paging));
    });
    return { ...list, summary: { ...NO_PAYMENT, operation: 'inquiry', reference } };
  }

  /** `GET /v3/accounts/{id}` */
  one({ gateway }: AsaasRequest, id: string): AsaasEndpoint {
    const find = () => this.core.recipients.find(gateway, recipientOfSubaccount(id));
    return {
      summary: { ...NO_PAYMENT, operation: 'inquiry', reference: find()?.reference ?? null },
      run: () => {
        const recipient = find();
        return { response: recipient === null ? notFound() : ok(this.show(recipient)) };
      },
    };
  }

  /** `GET /v3/myAccount/status` of the account that the key belongs to: https://docs.asaas.com/reference/consult-registration-status-of-the-account */
  status(gateway: GatewaySlug, key: string): AsaasEndpoint {
    const [, walletId] = KEY.exec(key) ?? [];
    const find = () =>
      walletId === undefined ? null : this.core.recipients.find(gateway, recipientOfWallet(walletId));
    return {
      summary: { ...NO_PAYMENT, operation: 'inquiry', reference: find()?.reference ?? null },
      run: ({ account }) => ({ response: ok(statusObject(find(), account)) }),
    };
  }

  /** `AccountGetResponseDto` of the SDK. */
  private show(recipient: StoredRecipient): AsaasObject {
    const stored = this.created.get(recipient.id)?.body;
    const { webhooks: _w, incomeValue: _i, ...body } = stored ?? ({} as Partial<AsaasAccountBody>);
    return {
      object: 'account',
      id: subaccountIdOf(recipient.id),
      ...body,
      personType: body.cpfCnpj?.length === 11 ? 'FISICA' : 'JURIDICA',
      city: null,
      state: null,
      country: 'Brasil',
      tradingName: null,
      walletId: walletIdOf(recipient.id),
      accountNumber: { agency: '0001', account: '123456', accountDigit: '7' },
      commercialInfoExpiration: null,
    };
  }
}

/** `GET /v3/wallets/`: the wallet of the key's account, which a split must not name. */
export const ownWallet = (): AsaasEndpoint =>
  reply(({ account }) =>
    ok(pageOf([{ object: 'wallet', id: ownWalletOf(account) }], { offset: 0, limit: 10 })),
  );

/** `GET /v3/finance/balance`. The simulator pays nothing out. */
export const balance = (): AsaasEndpoint => reply((): SimulatorResponse => ok({ balance: 0 }));

/** "100% approved" if `general` is; a new account has sent no documents. */
function statusObject(recipient: StoredRecipient | null, account: string): AsaasObject {
  const state = { active: 'APPROVED', pending: 'PENDING', refused: 'REJECTED' }[
    recipient?.status ?? 'active'
  ];
  return {
    id: recipient === null ? ownWalletOf(account) : subaccountIdOf(recipient.id),
    commercialInfo: 'APPROVED',
    bankAccountInfo: 'APPROVED',
    documentation: state,
    general: state,
  };
}
