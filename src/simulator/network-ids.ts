import { randomBytes, randomInt } from 'node:crypto';
import { networkOf, type CardNetwork } from '../domain/payments/card-network';
import type { WireInitiation, WireNetworkIds } from '../gateways/simulator/wire';

type IdName = keyof WireNetworkIds;

/** The ids that each network gives an approved transaction, and demands of a merchant-initiated one. */
const IDS: Readonly<Record<CardNetwork, readonly IdName[]>> = {
  visa: ['network_transaction_id'],
  mastercard: ['network_transaction_id', 'transaction_link_id'],
  elo: ['network_transaction_id', 'elo_reference'],
  hipercard: ['network_transaction_id'],
  amex: ['network_transaction_id'],
  other: ['network_transaction_id'],
};

const NEW_ID: Readonly<Record<IdName, () => string>> = {
  network_transaction_id: () => digits(15),
  transaction_link_id: () => randomBytes(17).toString('base64url').slice(0, 22),
  elo_reference: () => digits(20),
};

export function newNetworkIds(brand: string | null): WireNetworkIds {
  const given = IDS[networkOf(brand)];
  const idOf = (name: IdName): string | null => (given.includes(name) ? NEW_ID[name]() : null);
  return {
    network_transaction_id: idOf('network_transaction_id'),
    transaction_link_id: idOf('transaction_link_id'),
    elo_reference: idOf('elo_reference'),
  };
}

/** The name of an id that a merchant-initiated charge lacks; null if it lacks none. */
export function missingNetworkId(initiation: WireInitiation, brand: string): IdName | null {
  if (initiation.initiator === 'customer') return null;
  const { network_ids: ids } = initiation;
  return IDS[networkOf(brand)].find((name) => (ids?.[name] ?? null) === null) ?? null;
}

function digits(length: number): string {
  return Array.from({ length }, () => randomInt(10)).join('');
}
