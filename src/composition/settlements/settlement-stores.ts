import { ExpectedReader } from '../../persistence/settlement/expected-reader';
import { KnownRecordReader } from '../../persistence/settlement/known-record-reader';
import { SettlementItemRepository } from '../../persistence/settlement/settlement-item-repository';
import { SettlementRepository } from '../../persistence/settlement/settlement-repository';
import { StatementLineRepository } from '../../persistence/settlement/statement-line-repository';
import type { Database } from '../../persistence/sql/transaction';

/** What settlements are stored in, and what they are compared with. */
export interface SettlementStores {
  readonly settlements: SettlementRepository;
  readonly statementLines: StatementLineRepository;
  readonly settlementItems: SettlementItemRepository;
  readonly knownRecords: KnownRecordReader;
  readonly expectedAmounts: ExpectedReader;
}

export function createSettlementStores(db: Database): SettlementStores {
  return {
    settlements: new SettlementRepository(db),
    statementLines: new StatementLineRepository(db),
    settlementItems: new SettlementItemRepository(db),
    knownRecords: new KnownRecordReader(db),
    expectedAmounts: new ExpectedReader(db),
  };
}
