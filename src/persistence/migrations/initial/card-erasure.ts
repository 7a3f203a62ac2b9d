/** The queue of vault cards that may be no longer needed, so that the sweeper need not read all cards. */
export const cardErasure = `
  -- One row each time a saved card or a subscription stops using the number. The sweeper checks whether anything else
  -- still needs it.
  CREATE TABLE cards_pending_erasure (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    vault_card_id uuid NOT NULL
  );

  -- Queues the old and the new card: queuing a card that is still in use does no harm.
  CREATE FUNCTION queue_card_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO cards_pending_erasure (vault_card_id) SELECT DISTINCT unnest(ARRAY[OLD.vault_card_id, NEW.vault_card_id]);
    RETURN NULL;
  END $$;
  CREATE TRIGGER customer_cards_pending_erasure AFTER UPDATE OF deleted_at ON customer_cards
    FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION queue_card_erasure();
  CREATE TRIGGER subscriptions_pending_erasure AFTER UPDATE OF vault_card_id, status ON subscriptions
    FOR EACH ROW WHEN (OLD.vault_card_id <> NEW.vault_card_id OR (OLD.status <> 'canceled' AND NEW.status = 'canceled'))
    EXECUTE FUNCTION queue_card_erasure();

  -- A refused change_card command leaves its new card unused.
  CREATE FUNCTION queue_refused_card_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO cards_pending_erasure (vault_card_id) VALUES ((NEW.details #>> '{card,vaultCardId}')::uuid);
    RETURN NULL;
  END $$;
  CREATE TRIGGER subscription_commands_refused_card AFTER UPDATE OF status ON subscription_commands
    FOR EACH ROW WHEN (NEW.kind = 'change_card' AND NEW.status = 'refused' AND OLD.status <> 'refused')
    EXECUTE FUNCTION queue_refused_card_erasure();
`;
