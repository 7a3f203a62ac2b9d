/** A dispute as its gateway knows it. */
export interface GatewayDisputeSubject {
  readonly gatewayDisputeId: string;
}

/** How companies answer disputes through a gateway's API. Both throw `GatewayError`, as every method of a driver does. */
export interface DisputeDriver<Context> {
  /** Accepts the dispute: the customer keeps the money. Returns once the gateway has taken it; a repetition changes nothing. */
  accept(ctx: Context, dispute: GatewayDisputeSubject): Promise<void>;
  /** What became of the dispute; for an acceptance without an answer. `opened`: it still waits for the company. */
  findStatus(ctx: Context, dispute: GatewayDisputeSubject): Promise<'opened' | 'won' | 'lost'>;
}
