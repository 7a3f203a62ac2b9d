/** The columns of `AuthenticatedCompany`; `row` is the name of the row in the query. */
export function companyColumns(row: string): string {
  return `${row}.id, ${row}.mode, ${row}.timezone, ${row}.pix_expires_in AS "pixExpiresInSeconds",
    ${row}.billet_due_days AS "billetDueDays",
    COALESCE(${row}.client_id, (SELECT own.client_id FROM companies own WHERE own.id = -${row}.id)) AS "clientId"`;
}
