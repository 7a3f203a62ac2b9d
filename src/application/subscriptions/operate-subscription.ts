import { findClaimedKey, findRecordedAnswer, recordedAnswer, unlessRefused } from '../shared/idempotency';
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
import { NO_HISTORY, type CardHistory } from '../../domain/subscriptions/subscription';
import { cardIdentity } from '../../domain/subscriptions/charge-guard';
import { refusalError } from '../../domain/subscriptions/command-refusal';
import { applyCommand, type SubscriptionCommand } from '../../domain/subscriptions/subscription-commands';
import { nextDue } from '../../domain/subscriptions/subscription-due';
import type { Failpoint } from '../../failpoints';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type { IdempotencyRepository } from '../../persistence/payments/idempotency-repository';
import type { CardDeclines } from '../../persistence/read-models/card-declines';
import type { SubscriptionCommandRepository } from '../../persistence/subscriptions/subscription-command-repository';
import type {
  SubscriptionRecord,
  SubscriptionRepository,
} from '../../persistence/subscriptions/subscription-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';
import { NO_REQUEST_HASHES, requestHashes } from '../../security/request-hash';
import type { KeyedValues, SecretKeys } from '../../security/secret-keys';
import type { SubscriptionWorkflows } from '../../temporal/subscriptions';
import type { CardVerification } from '../customers/verify-card';
import { resolveInDoubtCommit } from '../payments/in-doubt-commit';
import { toStart, type SubscriptionAnswer } from './subscription-answer';
import {
  resolveCommand,
  subscriptionNow,
  type RequestedCommand,
  type ResolveCommandDeps,
} from './subscription-command';
import { verifyNewCard, type VerifyNewCardDeps } from './verify-new-card';

export interface OperateSubscriptionDeps extends ResolveCommandDeps, Pick<VerifyNewCardDeps, 'verifyCard'> {
  readonly db: Database;
  readonly subscriptions: SubscriptionRepository;
  readonly subscriptionCommands: SubscriptionCommandRepository;
  readonly cardDeclines: CardDeclines;
  readonly idempotency: IdempotencyRepository;
  readonly audit: AuditRepository;
  readonly workflows: Pick<SubscriptionWorkflows, 'awaitCommand'>;
  readonly requestHashKeys: SecretKeys;
  readonly syncTimeoutMs: number;
  readonly failpoint: Failpoint;
  /** Reports an error that must not fail the request, because the command is stored. */
  readonly reportError: (subscriptionId: string, error: unknown) => void;
}

export interface OperateSubscriptionCommand {
  readonly company: AuthenticatedCompany;
  /** The user who requests it; null for a request with the company's API key. */
  readonly actor?: AuditActor | null;
  /** The subscription's id as sent, not yet validated. */
  readonly id: string;
  readonly requested: RequestedCommand;
  readonly idempotencyKey: string | null;
  readonly receivedAt: Date;
  /** Runs in the transaction that stores the command, before it is stored. Rolls it back by throwing. */
  readonly withinTransaction?: (tx: Tx, record: SubscriptionRecord) => Promise<void>;
}

interface NewCommandFacts {
  readonly record: SubscriptionRecord;
  readonly commandId: SubscriptionCommandId;
  /** Of the new card of a card change. */
  readonly verification: CardVerification | null;
}

/** A committed command. It will be executed even if the request fails. */
interface AcceptedCommand {
  readonly record: SubscriptionRecord;
  readonly commandId: SubscriptionCommandId;
}

/**
 * Executes a command once per idempotency key. One transaction locks the subscription, claims the key and stores the
 * command. Then the workflow, started if needed, executes it, and the request waits for the answer.
 *
 * @throws ApiError `not_found`, `invalid_state`, `validation_error`, `card_declined`, `idempotency_key_reused`, `rate_limited`. The command
 *   was not stored and the key can be used again. Also `invalid_state` if the stored command is refused, or its charge is
 *   declined, when the workflow executes it.
 */
export class OperateSubscription {
  constructor(private readonly deps: OperateSubscriptionDeps) {}

  async execute(command: OperateSubscriptionCommand): Promise<SubscriptionAnswer> {
    const id = parseSubscriptionId(command.id);
    if (id === null) throw notFound();
    const hashes = this.hashesOf(command, id);
    const accepted = await this.accept(command, id, hashes);
    if (accepted === null) return this.answerRepeated(command, id, hashes);
    this.deps.failpoint('subscription-command-committed', command.company.id);
    return this.awaitAnswer(command, accepted);
  }

  private hashesOf(
    { idempotencyKey, requested, actor }: OperateSubscriptionCommand,
    id: SubscriptionId,
  ): KeyedValues {
    if (idempotencyKey === null) return NO_REQUEST_HASHES;
    const path = `${actor ? '/user' : ''}/subscriptions/${id}/${requested.kind}`;
    return requestHashes(this.deps.requestHashKeys, 'POST', path, requested.body);
  }

  /** Returns null if the key is already claimed. */
  private async accept(
    command: OperateSubscriptionCommand,
    id: SubscriptionId,
    hashes: KeyedValues,
  ): Promise<AcceptedCommand | null> {
    const commandId = newSubscriptionCommandId();
    const verification = await verifyNewCard(this.deps, command, id);
    try {
      return await this.deps.db.inTransaction(async (tx) => {
        const record = await this.deps.subscriptions.lockForCompany(tx, command.company.id, id);
        if (record === null) throw notFound();
        if (!(await this.claimKey(tx, command, hashes, commandId))) return null;
        await command.withinTransaction?.(tx, record);
        await this.insert(tx, command, { record, commandId, verification });
        return { record, commandId };
      });
    } catch (error) {
      if (error instanceof ApiError) throw error;
      const { company, idempotencyKey } = command;
      const find = () => this.deps.subscriptionCommands.find(company.id, commandId);
      const found = await resolveInDoubtCommit({ db: this.deps.db, find, cause: error, idempotencyKey });
      return { record: await this.load(command.company.id, id), commandId: found.id };
    }
  }

  private async claimKey(
    tx: Tx,
    { company, idempotencyKey }: OperateSubscriptionCommand,
    hashes: KeyedValues,
    subscriptionCommandId: SubscriptionCommandId,
  ): Promise<boolean> {
    if (idempotencyKey === null) return true;
    const claim = {
      companyId: company.id,
      key: idempotencyKey,
      requestHashes: hashes,
      subscriptionCommandId,
    };
    return this.deps.idempotency.claim(tx, claim);
  }

  private async insert(
    tx: Tx,
    { company, actor, requested, idempotencyKey }: OperateSubscriptionCommand,
    { record, commandId: id, verification }: NewCommandFacts,
  ): Promise<void> {
    const { subscriptions, subscriptionCommands, audit, now } = this.deps;
    if (record.commands.length >= MAX_OPEN_COMMANDS) throw tooManyCommands();
    const { stored, command } = await resolveCommand(this.deps, tx, {
      company,
      record,
      requested,
      verification,
    });
    const at = subscriptionNow(this.deps, record);
    if (isStateKnown(record, at)) {
      const result = applyCommand(record.state, command, at, await this.historyFor(tx, record, command, at));
      if (!result.applied) throw refusalError(result);
    }
    const { id: subscriptionId, companyId, uuid, customerKey } = record.row;
    await subscriptionCommands.insert(
      tx,
      { id, subscriptionId, companyId, customerKey, command: stored, idempotencyKey, requestedAt: at },
      now(),
    );
    await subscriptions.requestWake(tx, uuid, now());
    if (actor) await audit.insert(tx, { ...actor, ...auditEntry(uuid, id, stored) });
  }

  /** The declines of the card that the command charges. */
  private async historyFor(
    tx: Tx,
    { row, state }: SubscriptionRecord,
    command: SubscriptionCommand,
    at: Date,
  ): Promise<CardHistory> {
    const card = command.kind === 'change_card' ? command.card : state.card;
    const charged = { companyId: row.companyId, identity: cardIdentity(card) };
    return { ...NO_HISTORY, declines: (await this.deps.cardDeclines.list(charged, at, tx)).declines };
  }

  /** The command is stored and will be executed even if waiting for it fails. */
  private async awaitAnswer(
    { company, receivedAt, requested, idempotencyKey }: OperateSubscriptionCommand,
    { record, commandId }: AcceptedCommand,
  ): Promise<SubscriptionAnswer> {
    const deadline = new Date(+receivedAt + this.deps.syncTimeoutMs);
    const { uuid } = record.row;
    try {
      await this.deps.workflows.awaitCommand(toStart(record), { commandId, kind: requested.kind }, deadline);
    } catch (error) {
      this.deps.reportError(uuid, error);
    }
    const answered = await this.deps.subscriptionCommands.find(company.id, commandId);
    if (answered?.refusal) throw refusalError(answered.refusal);
    if (answered?.status === 'done') {
      const recorded = await findRecordedAnswer(this.deps.idempotency, company.id, idempotencyKey);
      if (recorded !== null) return recorded;
    }
    const subscription = await this.load(company.id, uuid);
    return { kind: 'subscription', status: answered?.status === 'done' ? 200 : 202, subscription };
  }

  /** For a claimed key: the same request gets the recorded answer or waits for it; a different request is an error. */
  private async answerRepeated(
    command: OperateSubscriptionCommand,
    id: SubscriptionId,
    hashes: KeyedValues,
  ): Promise<SubscriptionAnswer> {
    const { company, idempotencyKey } = command;
    const claim = { companyId: company.id, key: idempotencyKey, requestHashes: hashes };
    const claimed = await findClaimedKey(this.deps.idempotency, claim, 'subscriptionCommandId');
    const recorded = recordedAnswer(claimed, true);
    if (recorded !== null) return unlessRefused(recorded);
    const commandId = claimed.subscriptionCommandId;
    return this.awaitAnswer(command, { record: await this.load(company.id, id), commandId });
  }

  private async load(companyId: number, id: SubscriptionId): Promise<SubscriptionRecord> {
    const record = await this.deps.subscriptions.find(companyId, id);
    if (record === null) throw new Error('the subscription is missing');
    return record;
  }
}

/** With an open charge, earlier commands or a due event, the state in which a command will be executed is not known yet. */
function isStateKnown({ state, commands }: SubscriptionRecord, at: Date): boolean {
  const due = nextDue(state);
  return state.openCharge === null && commands.length === 0 && (due === null || due.at > at);
}

/**
 * Below Temporal's limit of in-flight updates per workflow. Completed updates count against that limit until their
 * workflow task ends, and a refused update is sent again, which may repeat a step.
 */
const MAX_OPEN_COMMANDS = 8;

function tooManyCommands(): ApiError {
  return new ApiError(
    'rate_limited',
    'Too many changes of the subscription are in progress. Try again later.',
    undefined,
    1,
  );
}

/** The command by the API's names. A card is shown by its last four digits only. */
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
