import type { Migration } from './migration';

/** Which card numbers may have become needless: they are found without looking through those that are needed. */
export const migration: Migration = {
  name: '0011-vault-sweep',
  up: `
    -- Numbers that somebody let go of, once each time. Whether nobody else needs one is judged when it is swept.
    CREATE TABLE cards_pending_erasure (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      vault_card_id uuid NOT NULL
    );

    -- Whatever takes a card away from its user lists it: one that is listed and still used does no harm.
    CREATE FUNCTION list_cards_pending_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO cards_pending_erasure (vault_card_id) SELECT DISTINCT unnest(ARRAY[OLD.vault_card_id, NEW.vault_card_id]);
      RETURN NULL;
    END $$;
    CREATE TRIGGER customer_cards_pending_erasure AFTER UPDATE OF deleted_at ON customer_cards
      FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION list_cards_pending_erasure();
    CREATE TRIGGER subscriptions_pending_erasure AFTER UPDATE OF vault_card_id, status ON subscriptions
      FOR EACH ROW WHEN (OLD.vault_card_id <> NEW.vault_card_id OR (OLD.status <> 'canceled' AND NEW.status = 'canceled'))
      EXECUTE FUNCTION list_cards_pending_erasure();

    -- So does a subscription that is not given the card it was to take.
    CREATE FUNCTION list_refused_card() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO cards_pending_erasure (vault_card_id) VALUES ((NEW.details #>> '{card,vaultCardId}')::uuid);
      RETURN NULL;
    END $$;
    CREATE TRIGGER subscription_commands_refused_card AFTER UPDATE OF status ON subscription_commands
      FOR EACH ROW WHEN (NEW.kind = 'change_card' AND NEW.status = 'refused' AND OLD.status <> 'refused')
      EXECUTE FUNCTION list_refused_card();

    -- Those that wait to be swept already. Their index customer_cards_deleted serves the release before this one.
    INSERT INTO cards_pending_erasure (vault_card_id)
      SELECT vault_card_id FROM customer_cards WHERE deleted_at IS NOT NULL AND vault_card_id IS NOT NULL;
  `,
};
