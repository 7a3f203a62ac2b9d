import type { Migration } from './migration';

/** Who rotates a secret twice in a day, say because the first answer was lost, goes on being heard with each of them. */
export const migration: Migration = {
  name: '0014-older-webhook-secrets',
  up: `
    -- The secrets before this one that still sign, the newest first: [{"sealed": ..., "until": instant}].
    ALTER TABLE webhook_endpoints ADD COLUMN older_secrets jsonb NOT NULL DEFAULT '[]';
    UPDATE webhook_endpoints
       SET older_secrets = jsonb_build_array(jsonb_build_object('sealed', sealed_old_secret, 'until', old_secret_until))
     WHERE sealed_old_secret IS NOT NULL;
    -- sealed_old_secret and old_secret_until are read by workers of the version before, and go with a later migration.
  `,
};
