import type { IncomingHttpHeaders } from 'node:http';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { WireInitiation } from '../../gateways/simulator/wire';
import type { CallbackBody } from '../../gateways/simulator/wire-callback';
import type { Accounts } from '../accounts';
import type { ChargeStore, StoredCharge, StoredDispute } from '../charge-store';
import type { ChargeOperations } from '../charges';
import type { InFlightRequests } from '../in-flight';
import type { RecipientStore } from '../recipients';
import type { SimulatorResponse } from '../replies';
import type { Behavior, ScriptedOperation } from '../scripts';
import type { StatementBook } from '../statements/statement-book';

/**
 * One vendor's protocol over the simulator's core. The adapter translates requests into the core's operations, and their
 * results into the vendor's answers, errors and callbacks. Scripts, outages, delays, lost answers, the ledger and the request
 * log belong to the core, so they work the same behind every adapter.
 */
export interface WireAdapter {
  /** The secret key of a request; null without one. */
  secretOf(headers: IncomingHttpHeaders): string | null;
  /** What a request asks for; null for an unknown route. Never throws: an invalid request is a call with an error as its answer. */
  receive(request: VendorHttpRequest): VendorCall | null;
  /** The vendor's own answer to a request that does not reach an operation. */
  errorOf(error: CoreError): SimulatorResponse;
  /** The messages that report this state of a charge. */
  callbacksOf(charge: StoredCharge, kind: CallbackKind, dispute?: StoredDispute): readonly CallbackMessage[];
}

/** The parts of the core that an adapter works with. */
export interface SimulatorCore {
  readonly store: ChargeStore;
  readonly charges: ChargeOperations;
  readonly recipients: RecipientStore;
  readonly inFlight: InFlightRequests;
  readonly accounts: Accounts;
  readonly statements: StatementBook;
  /** The simulator's base URL. */
  readonly origin: string;
}

/** A request below `/{gateway_slug}`. */
export interface VendorHttpRequest {
  readonly gateway: GatewaySlug;
  readonly method: string;
  /** The segments after the slug. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What scripts and the request log need to know of a request. They read it even from an invalid one. */
export interface CallSummary {
  /** Null for a request that belongs to no payment: it is neither scripted nor logged. */
  readonly operation: ScriptedOperation | null;
  readonly amount: number | null;
  /** Our reference; null if the request has none, so that it is not logged. */
  readonly reference: string | null;
  readonly initiation?: WireInitiation;
  /** What a charge or authorization tells about the purchase, as the vendor's protocol sends it. */
  readonly purchase?: object;
  readonly idempotencyKey: string | null;
}

export interface VendorCall extends CallSummary {
  /** Whether it is answered without a secret key. */
  readonly isPublic?: boolean;
  /** `account` is `accountIdOf` the request's valid secret key. */
  prepare(account: string, behavior: Behavior): PreparedWork;
}

/** Work that counts as in progress until `finish` is called. */
export interface PreparedWork {
  /** Commits, and returns the answer. */
  readonly run: () => WorkResult;
  /** The answer with the status of a script, in place of `run`. */
  readonly fail: (status: number) => SimulatorResponse;
  readonly finish: () => void;
}

export interface WorkResult {
  readonly response: SimulatorResponse;
  /** The charge that the request changed. */
  readonly charge?: StoredCharge;
  /** The dispute that it changed: the callback is about it. */
  readonly dispute?: StoredDispute;
  /** Whether the vendor sends a callback about this change, also if no script asks for one. */
  readonly announced?: boolean;
}

export type CoreError = 'unauthenticated' | 'unavailable' | 'not_found';

export type CallbackKind = CallbackBody['kind'];

/** One callback. Every retry sends the same bytes with a new signature. */
export interface CallbackMessage {
  readonly body: Buffer;
  /** The body with its proof, where the vendor puts the proof into the body; not called without a secret. */
  readonly signedBody?: (secret: string) => Buffer;
  /** What follows the address of the receiver, where the vendor adds to it. */
  readonly target?: (secret: string | null) => string;
  /** The headers that prove it; not called without a secret. A forged one has a wrong secret, and `forged` for proofs without a secret. */
  readonly sign: (secret: string, now: Date, forged: boolean) => Readonly<Record<string, string>>;
}
