import type { EvidenceFileType, EvidenceKind } from '../../domain/disputes/dispute-evidence';

/** A dispute as its gateway knows it. */
export interface GatewayDisputeSubject {
  readonly gatewayDisputeId: string;
}

export interface EvidenceFile {
  readonly name: string;
  readonly contentType: EvidenceFileType;
  readonly bytes: Buffer;
}

/** One piece of evidence. */
export type GatewayEvidence = { readonly kind: EvidenceKind } & (
  | { readonly text: string }
  | {
      readonly file: EvidenceFile;
      /** What `uploadFile` returned; null at a gateway that takes files with the rest. */
      readonly uploadedId: string | null;
    }
);

/** `opened`: it still waits for the company. `submitted`: the gateway has evidence, and no decision. */
export type GatewayDisputeStatus = 'opened' | 'submitted' | 'won' | 'lost';

/**
 * How companies answer disputes through a gateway's API. All methods throw `GatewayError`, as every method of a driver does. Which
 * of them work for a slug, its `disputeAnswers` tell.
 */
export interface DisputeDriver<Context> {
  /** Accepts the dispute: the customer keeps the money. Returns once the gateway has taken it; a repetition changes nothing. */
  accept(ctx: Context, dispute: GatewayDisputeSubject): Promise<void>;
  /**
   * Gives the gateway a file ahead of the submission and returns its id there. It has no effect on the dispute, and no send
   * window. Omitted at a gateway that takes files with the rest.
   */
  uploadFile?(ctx: Context, file: EvidenceFile): Promise<string>;
  /** Submits all evidence for good. Returns once the gateway has taken it. */
  submit(ctx: Context, dispute: GatewayDisputeSubject, evidence: readonly GatewayEvidence[]): Promise<void>;
  /**
   * The status of the dispute, asked for when the gateway's reply to an answer of the company was lost. Omitted at a gateway that reports it
   * by callbacks only: there the answer is sent again, which must change nothing if the gateway has it.
   */
  findStatus?(ctx: Context, dispute: GatewayDisputeSubject): Promise<GatewayDisputeStatus>;
}
