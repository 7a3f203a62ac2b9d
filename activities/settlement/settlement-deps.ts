import type { ExpectedReader } from '../../src/persistence/settlement/expected-reader';
import type { KnownRecordReader } from '../../src/persistence/settlement/known-record-reader';
import type { SettlementItemRepository } from '../../src/persistence/settlement/settlement-item-repository';
import type { SettlementRepository } from '../../src/persistence/settlement/settlement-repository';
import type { StatementLineRepository } from '../../src/persistence/settlement/statement-line-repository';
import type { PaymentDeps } from '../payments/payment-deps';

/** Dependencies of the settlement activities. The worker creates them once. */
export interface SettlementDeps extends PaymentDeps {
  readonly settlements: SettlementRepository;
  readonly statementLines: StatementLineRepository;
  readonly settlementItems: SettlementItemRepository;
  readonly knownRecords: KnownRecordReader;
  readonly expectedAmounts: ExpectedReader;
}

/** What a stage has left to do: the next part at once, the next part after `pauseMs`, or nothing. */
export type StageResult =
  | { readonly kind: 'next' }
  | { readonly kind: 'pause'; readonly pauseMs: number }
  | { readonly kind: 'ended' };
