import { randomUUID } from 'node:crypto';
import type { Database } from '../sql/transaction';

/** A report that is older says nothing: its process has stopped, or has few requests now. */
const VALID_MS = 2_500;

/** Owns `request_demand`: how many requests of busy companies each API process got in the last second. */
export class RequestDemandRepository {
  private readonly processId = randomUUID();

  constructor(private readonly db: Database) {}

  /** Reports the requests of this process by company, and returns those that the others have reported. */
  async exchange(own: ReadonlyMap<number, number>): Promise<ReadonlyMap<number, number>> {
    const rows = await this.db.query<{ companyId: number; requests: number }>(
      `WITH own AS (SELECT * FROM unnest($2::bigint[], $3::int[]) AS reported (company_id, requests)),
       stored AS (
         INSERT INTO request_demand (company_id, process_id, requests, reported_at)
         SELECT company_id, $1, requests, clock_timestamp() FROM own ORDER BY company_id
         ON CONFLICT (company_id, process_id) DO UPDATE
            SET requests = EXCLUDED.requests, reported_at = EXCLUDED.reported_at),
       ended AS (
         DELETE FROM request_demand d USING own
          WHERE d.company_id = own.company_id AND d.process_id <> $1 AND d.reported_at < clock_timestamp() - interval '1 minute')
       SELECT d.company_id AS "companyId", sum(d.requests)::int AS requests FROM request_demand d JOIN own USING (company_id)
        WHERE d.process_id <> $1 AND d.reported_at > clock_timestamp() - make_interval(secs => $4::float8 / 1000)
        GROUP BY d.company_id`,
      [this.processId, [...own.keys()], [...own.values()], VALID_MS],
    );
    return new Map(rows.map(({ companyId, requests }) => [companyId, requests]));
  }
}
