import type { Migration } from './migration';

export const migration: Migration = {
  name: '0034-dispute-consequences',
  up: `
  ALTER TABLE disputes
    -- The card of a charge that is disputed for fraud (cardIdentity): no subscription charges it, unless the company wins.
    ADD COLUMN fraud_card text,
    -- When the subscription of the disputed charge was told to pause.
    ADD COLUMN subscription_paused_at timestamptz;
  CREATE INDEX disputes_fraud_card ON disputes (company_id, fraud_card) WHERE fraud_card IS NOT NULL;

  ALTER TABLE company_configs
    -- From when on a dispute pauses the subscription whose charge is disputed.
    ADD COLUMN pause_subscription text NOT NULL DEFAULT 'lost' CHECK (pause_subscription IN ('never', 'opened', 'lost'));
  `,
};
