import type { Migration } from './migration';

export const migration: Migration = {
  name: '0051-routing-reasons',
  up: `
  -- Why routing chose the gateway, as codes with parameters. routing_reason tells the same as a text in English.
  ALTER TABLE gateway_attempts ADD COLUMN routing_reasons jsonb;
  `,
};
