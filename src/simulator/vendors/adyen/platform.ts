import { randomBytes } from 'node:crypto';
import type { GatewaySlug } from '../../../domain/shared/gateway-slug';
import { parseJson } from '../../exchange';
import { recipientStatusFor } from '../../recipients';
import type { SimulatorResponse } from '../../replies';
import type { Behavior } from '../../scripts';
import type { CallSummary, SimulatorCore, VendorCall, VendorHttpRequest } from '../adapter';
import type { AdyenObject } from './endpoint';
import { newResourceId, recipientIdOf } from './ids';
import {
  type AccountHolderBody,
  accountHolderBody,
  balanceAccountBody,
  legalEntityBody,
  onboardingLinkBody,
} from './platform-bodies';
import { accountObject, failure, invalid, pageOf, unknown } from './platform-objects';
import { type Holder, PlatformResources, wireDataOf } from './platform-resources';

interface Endpoint {
  readonly summary?: Pick<CallSummary, 'operation' | 'reference'>;
  readonly run: (behavior: Behavior) => SimulatorResponse;
}

const INQUIRY = { operation: 'inquiry', reference: null } as const;
const MAX_KEPT = 10_000;

/**
 * The recipients of splits: Legal Entity Management v4 below `/kyc`, and Configuration v2 below `/balance`
 * (Adyen/adyen-openapi, LegalEntityService-v4 and BalancePlatformService-v2).
 */
export class AdyenPlatform {
  private readonly resources: PlatformResources;
  private readonly answers = new Map<string, SimulatorResponse>();

  constructor(private readonly core: SimulatorCore) {
    this.resources = new PlatformResources(core.recipients);
  }

  /** A request for one of the two APIs; null for an unknown route. */
  receive(request: VendorHttpRequest): VendorCall | null {
    const { gateway, method, path, headers } = request;
    const [api, version, ...resource] = path;
    this.resources.restore(gateway);
    const isKnown = (api === 'kyc' && version === 'v4') || (api === 'balance' && version === 'v2');
    const endpoint = isKnown ? this.endpoint(request, `${api} ${method}`, resource) : null;
    if (endpoint === null) return null;
    const header = headers['idempotency-key'];
    const key = method === 'POST' && typeof header === 'string' && header !== '' ? header : null;
    const summary = endpoint.summary ?? { operation: null, reference: null };
    return {
      ...{ ...summary, amount: null, idempotencyKey: key },
      prepare: (_account, behavior) => ({
        run: () => ({
          response: this.answer(`${gateway} ${path.join('/')} ${key}`, key, endpoint, behavior),
        }),
        fail: (status) => failure(status, `00_${status}`),
        finish: () => undefined,
      }),
    };
  }

  /** "The Adyen API supports idempotency on POST requests": https://docs.adyen.com/development-resources/api-idempotency */
  private answer(id: string, key: string | null, { run }: Endpoint, behavior: Behavior): SimulatorResponse {
    const earlier = key === null || behavior.ignore_idempotency === true ? undefined : this.answers.get(id);
    if (earlier !== undefined) return earlier;
    const response = run(behavior);
    if (key !== null && response.status === 200) {
      this.answers.set(id, response);
      const [oldest] = this.answers.keys();
      if (this.answers.size > MAX_KEPT && oldest !== undefined) this.answers.delete(oldest);
    }
    return response;
  }

  private endpoint(request: VendorHttpRequest, route: string, resource: readonly string[]): Endpoint | null {
    const [collection = '', id, action, ...rest] = resource;
    if (rest.length > 0) return null;
    const name = [route, collection, ...(id === undefined ? [] : ['{id}']), ...(action ? [action] : [])].join(
      ' ',
    );
    switch (name) {
      case 'kyc POST legalEntities':
        return { run: () => this.createEntity(request) };
      case 'kyc GET legalEntities {id}':
        return { run: () => this.showEntity(id ?? '', request.gateway) };
      case 'kyc POST legalEntities {id} onboardingLinks':
        return { run: () => this.createLink(id ?? '', request) };
      case 'balance POST accountHolders':
        return { run: () => this.createHolder(request) };
      case 'balance GET accountHolders {id}':
        return { run: () => this.showHolder(id ?? '', request.gateway) };
      case 'balance GET accountHolders {id} balanceAccounts':
        return { run: () => this.listAccounts(id ?? '', request) };
      case 'balance GET balancePlatforms {id} accountHolders':
        return { summary: INQUIRY, run: () => this.listHolders(id ?? '', request) };
      case 'balance POST balanceAccounts':
        return this.createAccount(request);
      case 'balance GET balanceAccounts {id}':
        return this.showAccount(id ?? '', request.gateway);
      default:
        return null;
    }
  }

  private createEntity({ body }: VendorHttpRequest): SimulatorResponse {
    const parsed = legalEntityBody.safeParse(parseJson(body));
    if (!parsed.success) return invalid(parsed.error);
    const { data } = parsed;
    const document =
      data.type === 'individual'
        ? data.individual.identificationData?.number
        : data.organization.registrationNumber;
    const { type, reference = null } = data;
    const status = recipientStatusFor(document ?? '');
    const entity = { id: newResourceId('LE'), reference, type, status };
    this.resources.entities.set(entity.id, entity);
    return { status: 200, body: { ...data, id: entity.id } };
  }

  private showEntity(id: string, gateway: GatewaySlug): SimulatorResponse {
    const entity = this.resources.entities.get(id);
    if (entity === undefined) return unknown('legalEntityId');
    const recipient = this.resources.recipientOf(gateway, ({ entityId }) => entityId === id);
    const hasBankAccount = recipient !== null && recipient.needsConsent !== true;
    const transferInstruments = hasBankAccount ? [{ id: 'SE1', accountIdentifier: '*****1234' }] : [];
    const { type, reference } = entity;
    return { status: 200, body: { id, type, ...(reference !== null && { reference }), transferInstruments } };
  }

  /** "Expires after 4 minutes. Can only be used once." So each is another one. */
  private createLink(id: string, { body }: VendorHttpRequest): SimulatorResponse {
    const parsed = onboardingLinkBody.safeParse(parseJson(body));
    if (!parsed.success) return invalid(parsed.error);
    if (!this.resources.entities.has(id)) return unknown('legalEntityId');
    const token = randomBytes(8).toString('hex');
    const expiry = Date.now() + 4 * 60_000;
    const url = `https://balanceplatform-test.adyen.com/balanceplatform/uo/form/xtl-${token}?expiry=${expiry}`;
    return { status: 200, body: { url } };
  }

  private createHolder({ gateway, body }: VendorHttpRequest): SimulatorResponse {
    const parsed = accountHolderBody.safeParse(parseJson(body));
    if (!parsed.success) return invalid(parsed.error);
    const { legalEntityId: entityId, balancePlatform: platform = null, reference = null } = parsed.data;
    if (!this.resources.entities.has(entityId)) return unknown('legalEntityId');
    const capabilities = requestedIn(parsed.data);
    const holder = { id: newResourceId('AH'), entityId, platform, reference, capabilities };
    this.resources.holders.set(holder.id, holder);
    return { status: 200, body: this.holderObject(holder, gateway) };
  }

  private showHolder(id: string, gateway: GatewaySlug): SimulatorResponse {
    const holder = this.resources.holders.get(id);
    return holder === undefined
      ? unknown('accountHolderId')
      : { status: 200, body: this.holderObject(holder, gateway) };
  }

  private listHolders(platform: string, { gateway, query }: VendorHttpRequest): SimulatorResponse {
    const all = [...this.resources.holders.values()].filter(
      (holder) => (holder.platform ?? platform) === platform,
    );
    const { items, ...page } = pageOf(all, query);
    return {
      status: 200,
      body: { accountHolders: items.map((each) => this.holderObject(each, gateway)), ...page },
    };
  }

  private createAccount({ gateway, body, headers }: VendorHttpRequest): Endpoint {
    const parsed = balanceAccountBody.safeParse(parseJson(body));
    const reference = parsed.data?.reference ?? null;
    const header = headers['idempotency-key'];
    return {
      summary: { operation: 'recipient', reference },
      run: (behavior) => {
        if (!parsed.success) return invalid(parsed.error);
        const holder = this.resources.holders.get(parsed.data.accountHolderId);
        const entity = this.resources.entities.get(holder?.entityId ?? '');
        if (holder === undefined || entity === undefined) return unknown('accountHolderId');
        const needsConsent = behavior.needs_consent === true;
        const status = needsConsent ? 'pending' : (behavior.recipient ?? entity.status);
        const fields = { gateway, reference: reference ?? '', status, needsConsent };
        const idempotencyKey = typeof header === 'string' ? header : null;
        const wireData = wireDataOf(entity, holder, parsed.data.defaultCurrencyCode);
        const recipient = this.core.recipients.create({ ...fields, idempotencyKey, wireData }, new Date());
        return { status: 200, body: accountObject(recipient) };
      },
    };
  }

  private showAccount(id: string, gateway: GatewaySlug): Endpoint {
    const find = () => this.core.recipients.find(gateway, recipientIdOf(id) ?? '');
    return {
      summary: { operation: 'inquiry', reference: find()?.reference ?? null },
      run: () => {
        const recipient = find();
        return recipient === null
          ? unknown('balanceAccountId')
          : { status: 200, body: accountObject(recipient) };
      },
    };
  }

  private listAccounts(holderId: string, { gateway, query }: VendorHttpRequest): SimulatorResponse {
    if (!this.resources.holders.has(holderId)) return unknown('accountHolderId');
    const all = this.core.recipients
      .newestFirst(gateway)
      .filter(({ wireData }) => wireData?.holderId === holderId);
    const { items, ...page } = pageOf(all, query);
    return { status: 200, body: { balanceAccounts: items.map(accountObject), ...page } };
  }

  /** States of capabilities: https://docs.adyen.com/marketplaces/verification-overview */
  private holderObject(holder: Holder, gateway: GatewaySlug): AdyenObject {
    const { id, entityId, reference, platform } = holder;
    const recipient = this.resources.recipientOf(gateway, (each) => each.id === id);
    const state = recipient?.status ?? 'pending';
    const verificationStatus = { active: 'valid', pending: 'pending', refused: 'rejected' }[state];
    const capability = { enabled: true, requested: true, allowed: state === 'active', verificationStatus };
    return {
      ...{ id, legalEntityId: entityId, status: 'active' },
      ...(reference !== null && { reference }),
      ...(platform !== null && { balancePlatform: platform }),
      capabilities: Object.fromEntries(holder.capabilities.map((name) => [name, capability])),
    };
  }
}

function requestedIn({ capabilities }: AccountHolderBody): string[] {
  return Object.entries(capabilities).flatMap(([name, { requested }]) => (requested === true ? [name] : []));
}
