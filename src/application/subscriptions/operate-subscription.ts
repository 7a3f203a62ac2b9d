import type { AuditActor } from '../../domain/companies/audit-actor';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import { ApiError, notFound } from '../../domain/shared/errors';
import {
  newSubscriptionCommandId,
  parseSubscriptionId,
  type SubscriptionCommandId,
  type SubscriptionId,
} from '../../domain/shared/ids';
import type { StoredCommand } from '../../domain/subscriptions/stored-command';
import { applyCommand } from '../../domain/subscriptions/subscription-commands';
import type { Failpoint } from '../../failpoints';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type {
  IdempotencyRecord,
  IdempotencyRepository,
} from '../../persistence/payments/idempotency-repository';
import type { SubscriptionCommandRepository } from '../../persistence/subscriptions/subscription-command-repository';
import type {
  SubscriptionRecord,
  SubscriptionRepository,
} from '../../persistence/subscriptions/subscription-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';
import { requestHash } from '../../security/request-hash';
import type { SubscriptionWorkflows } from '../../temporal/subscriptions';
import { resolveInDoubtCommit } from '../payments/in-doubt-commit';
import { keyReused, REPLAYED } from '../payments/payment-answer';
import { toStart, type SubscriptionAnswer } from './subscription-answer';
import { resolveCommand, type RequestedCommand, type ResolveCommandDeps } from './subscription-command';

export interface OperateSubscriptionDeps extends ResolveCommandDeps {
  readonly db: Database;
  readonly subscriptions: SubscriptionRepository;
  readonly subscriptionCommands: SubscriptionCommandRepository;
  readonly idempotency: IdempotencyRepository;
  readonly audit: AuditRepository;
  readonly workflows: Pick<SubscriptionWorkflows, 'awaitCommand'>;
  readonly requestHashKey: string;
  readonly syncTimeoutMs: number;
  readonly failpoint: Failpoint;
  /** Tells people of an error that the caller must not see, because the command is kept. */
  readonly reportError: (subscriptionId: string, error: unknown) => void;
}

export interface OperateSubscriptionCommand {
  readonly company: AuthenticatedCompany;
  /** The user who asks for it; null for the company's own program. */
  readonly actor?: AuditActor | null;
  /** The subscription's id as it was sent. */
  readonly id: string;
  readonly asked: RequestedCommand;
  readonly idempotencyKey: string | null;
  readonly receivedAt: Date;
  /** What else happens in the transaction that keeps the command, before it does; where that throws, neither happens. */
  readonly alongside?: (tx: Tx, record: SubscriptionRecord) => Promise<void>;
}

/** A command that is committed: from here on it is carried out, whatever becomes of the request. */
interface Requested {
  readonly record: SubscriptionRecord;
  readonly commandId: SubscriptionCommandId;
}

/**
 * Asks something of a subscription once, whatever is resent: ONE transaction locks the subscription, claims the key and
 * keeps the command; then the subscription's workflow, started if need be, carries it out and is waited for.
 *
 * @throws ApiError `not_found`, `invalid_state`, `validation_error`, `idempotency_key_reused`, `rate_limited`: nothing was
 *   asked for and the key is free; `invalid_state` too when its state, or a declined charge, forbade it in its turn
 */
export class OperateSubscription {
  constructor(private readonly deps: OperateSubscriptionDeps) {}

  async execute(command: OperateSubscriptionCommand): Promise<SubscriptionAnswer> {
    const id = parseSubscriptionId(command.id);
    if (id === null) throw notFound();
    const hash = this.hash(command, id);
    const requested = await this.request(command, id, hash);
    if (requested === null) return this.answerResent(command, id, hash);
    this.deps.failpoint('subscription-command-committed', command.company.id);
    return this.awaitAnswer(command, requested);
  }

  private hash({ idempotencyKey, asked, actor }: OperateSubscriptionCommand, id: SubscriptionId): string {
    if (idempotencyKey === null) return '';
    const path = `${actor ? '/user' : ''}/subscriptions/${id}/${asked.kind}`;
    return requestHash(this.deps.requestHashKey, 'POST', path, asked.kept);
  }

  /** Null when the key is taken. */
  private async request(
    command: OperateSubscriptionCommand,
    id: SubscriptionId,
    hash: string,
  ): Promise<Requested | null> {
    const commandId = newSubscriptionCommandId();
    try {
      return await this.deps.db.inTransaction(async (tx) => {
        const record = await this.deps.subscriptions.lockOf(tx, command.company.id, id);
        if (record === null) throw notFound();
        if (!(await this.claimKey(tx, command, hash, commandId))) return null;
        await command.alongside?.(tx, record);
        await this.insert(tx, command, record, commandId);
        return { record, commandId };
      });
    } catch (error) {
      if (error instanceof ApiError) throw error;
      const found = await resolveInDoubtCommit(
        () => this.deps.subscriptionCommands.find(command.company.id, commandId),
        error,
      );
      return { record: await this.load(command.company.id, id), commandId: found.id };
    }
  }

  private async claimKey(
    tx: Tx,
    { company, idempotencyKey }: OperateSubscriptionCommand,
    hash: string,
    subscriptionCommandId: SubscriptionCommandId,
  ): Promise<boolean> {
    if (idempotencyKey === null) return true;
    const claim = { companyId: company.id, key: idempotencyKey, requestHash: hash, subscriptionCommandId };
    return this.deps.idempotency.claim(tx, claim);
  }

  private async insert(
    tx: Tx,
    { company, actor, asked, idempotencyKey }: OperateSubscriptionCommand,
    record: SubscriptionRecord,
    id: SubscriptionCommandId,
  ): Promise<void> {
    const { subscriptions, subscriptionCommands, audit, now } = this.deps;
    if (record.commands.length >= MOST_OPEN_COMMANDS) throw tooManyAsked();
    const { stored, command } = await resolveCommand(this.deps, tx, { company, record, asked });
    // While a charge is open, or something else is asked, nobody knows yet in which state it will be carried out.
    if (record.state.openCharge === null && record.commands.length === 0) {
      const at = new Date(+now() + record.row.clockOffsetMs);
      const obeyed = applyCommand(record.state, command, at, { dunningDays: [], refusedAt: [] });
      if (!obeyed.obeyed) throw invalidState(`${obeyed.why.charAt(0).toUpperCase()}${obeyed.why.slice(1)}.`);
    }
    const { id: subscriptionId, companyId, uuid } = record.row;
    await subscriptionCommands.insert(
      tx,
      { id, subscriptionId, companyId, command: stored, idempotencyKey },
      now(),
    );
    await subscriptions.noteNews(tx, uuid, now());
    if (actor) await audit.record(tx, { ...actor, ...auditEntry(uuid, id, stored) });
  }

  /** From here on the command is kept: whatever fails, it is carried out when its turn comes. */
  private async awaitAnswer(
    { company, receivedAt, asked, idempotencyKey }: OperateSubscriptionCommand,
    { record, commandId }: Requested,
  ): Promise<SubscriptionAnswer> {
    const deadline = new Date(+receivedAt + this.deps.syncTimeoutMs);
    const { uuid } = record.row;
    try {
      await this.deps.workflows.awaitCommand(toStart(record), { commandId, kind: asked.kind }, deadline);
    } catch (error) {
      this.deps.reportError(uuid, error);
    }
    const answered = await this.deps.subscriptionCommands.find(company.id, commandId);
    if (answered?.status === 'refused') throw invalidState(answered.refusal ?? '');
    if (answered?.status === 'done' && idempotencyKey !== null) {
      const kept = await this.deps.idempotency.find(company.id, idempotencyKey);
      if (kept !== null && kept.responseStatus !== null) return recorded(kept, false);
    }
    const subscription = await this.load(company.id, uuid);
    return { kind: 'subscription', status: answered?.status === 'done' ? 200 : 202, subscription };
  }

  private async answerResent(
    command: OperateSubscriptionCommand,
    id: SubscriptionId,
    hash: string,
  ): Promise<SubscriptionAnswer> {
    const { company, idempotencyKey } = command;
    const kept = await this.deps.idempotency.find(company.id, idempotencyKey ?? '');
    if (kept === null) throw new Error('a claimed key is kept for ever');
    if (kept.requestHash !== hash || kept.subscriptionCommandId === null) throw keyReused();
    if (kept.responseStatus !== null) return recorded(kept, true);
    const commandId = kept.subscriptionCommandId;
    return this.awaitAnswer(command, { record: await this.load(company.id, id), commandId });
  }

  private async load(companyId: number, id: SubscriptionId): Promise<SubscriptionRecord> {
    const record = await this.deps.subscriptions.find(companyId, id);
    if (record === null) throw new Error('a subscription is never deleted');
    return record;
  }
}

function recorded(
  { responseStatus, responseBody }: IdempotencyRecord,
  replayed: boolean,
): SubscriptionAnswer {
  if (responseStatus !== 409) {
    return { kind: 'recorded', status: responseStatus ?? 200, body: responseBody, replayed };
  }
  const { message } = responseBody as { readonly message: string };
  throw invalidState(message, replayed);
}

/**
 * Fewer than the updates that Temporal lets wait for one workflow at a time. In a crowd some that are done still count
 * there, until the task that did them is over: of the next the server refuses one, the client asks again, and a step may
 * be made twice.
 */
const MOST_OPEN_COMMANDS = 8;

function tooManyAsked(): ApiError {
  return new ApiError('rate_limited', 'Too much is asked of the subscription at once.', undefined, 1);
}

function invalidState(message: string, replayed = false): ApiError {
  return new ApiError('invalid_state', message, undefined, undefined, replayed ? REPLAYED : {});
}

/** What a person asked for, by the API's names; a card is named by its last digits only. */
function auditEntry(subscriptionId: SubscriptionId, operationId: string, stored: StoredCommand) {
  return {
    action: `subscription.${stored.kind}`,
    subjectType: 'subscription',
    subjectId: subscriptionId,
    changes: changesOf(stored),
    operationId,
  } as const;
}

function changesOf(stored: StoredCommand): Record<string, unknown> {
  switch (stored.kind) {
    case 'pause':
      return { paused_until: stored.until };
    case 'cancel':
      return { at_period_end: stored.atPeriodEnd };
    case 'change_plan':
      return { plan_id: stored.planId, immediately: stored.immediately };
    case 'change_card':
      return { last_4_digits: stored.card.card.last4Digits };
    case 'resume':
    case 'uncancel':
    case 'retry':
      return {};
  }
}
