import type { Client } from 'pg';
import { nameBeginnings } from '../../../src/domain/search/name-words';
import { EnvelopeCipher } from '../../../src/security/envelope';
import { CustomerDataCipher, lookupHash } from '../../../src/security/personal-data';

const BATCH = 2_000;
/** By how many of a hundred customers have them: some names are common everywhere. */
const FIRST_NAMES =
  'Maria José Ana João Antônio Francisco Carlos Paulo Pedro Lucas Luiz Marcos Rafael Juliana Camila'.split(
    ' ',
  );
const LAST_NAMES =
  'Silva Santos Oliveira Souza Pereira Ferreira Alves Lima Gomes Costa Ribeiro Martins Rocha Dias'.split(' ');

/** The keys with which the bench's customers are sealed and found. */
export function benchCustomers() {
  const envelope = new EnvelopeCipher([{ id: 'bench', key: new Uint8Array(32) }]);
  return {
    cipher: new CustomerDataCipher(envelope),
    hash: lookupHash(['a key of the bench, of thirty-two characters']),
  };
}

/** Customers who can be searched for, beside those of the payments. */
export async function seedCustomers(client: Client, companyId: number, count: number): Promise<void> {
  for (let first = 1; first <= count; first += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, count - first + 1) }, (_, index) => first + index);
    const rows = await Promise.all(numbers.map((number) => customerRow(companyId, number)));
    await client.query(INSERT, [companyId, JSON.stringify(rows)]);
  }
}

async function customerRow(companyId: number, number: number) {
  const { cipher, hash } = CUSTOMERS;
  const token = `cus_bench_${number}`;
  const email = `customer-${number}@example.com`;
  const document = String(10_000_000_000 + number);
  const sealed = await cipher.newKey({ companyId, token });
  const personal = { name: nameOf(number), email, document, phone: null, address: null, metadata: null };
  return {
    token,
    sealed_key: sealed,
    personal_data: await cipher.seal({ companyId, token, sealed }, personal, `customers:${token}`),
    document_hash: hash(companyId, 'document', document)[0],
    email_hash: hash(companyId, 'email', email)[0],
    names: nameBeginnings(personal.name).map((beginning) => hashOfName(companyId, beginning)),
  };
}

const CUSTOMERS = benchCustomers();
const hashes = new Map<string, string>();

function hashOfName(companyId: number, beginning: string): string {
  const key = `${companyId} ${beginning}`;
  const known = hashes.get(key) ?? CUSTOMERS.hash(companyId, 'name', beginning)[0].slice(0, 11);
  hashes.set(key, known);
  return known;
}

function nameOf(number: number): string {
  if (number === 7) return 'Quitéria Vasconcelos';
  const of = (names: readonly string[], step: number) => names[(number * step) % names.length] ?? '';
  return `${of(FIRST_NAMES, 7)} ${of(LAST_NAMES, 11)} ${of(LAST_NAMES, 5)}`;
}

const INSERT = `
  WITH given AS (
    SELECT * FROM jsonb_to_recordset($2::jsonb)
      AS r (token text, sealed_key jsonb, personal_data text, document_hash text, email_hash text, names text[])),
  inserted AS (
    INSERT INTO customers (token, company_id, type, sealed_key, personal_data, document_hash, email_hash, name_hashed_at, updated_at)
    SELECT token, $1, 'individual', sealed_key, personal_data, document_hash, email_hash, now(), now() FROM given
    RETURNING id, token)
  INSERT INTO customer_names (company_id, hash, customer_id)
  SELECT $1, hash, i.id FROM inserted i JOIN given USING (token), unnest(given.names) AS hash`;
