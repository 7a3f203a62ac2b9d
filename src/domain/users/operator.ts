/** What tells whether a user operates the deployment. */
interface ProvenUser {
  readonly email: string;
  readonly emailVerified: boolean;
  /** Whether the user lacks a second factor that the company requires. */
  readonly mustEnrol: boolean;
}

/**
 * Whether a user is one of the deployment's operators: the deployment names the email (in lower case), and the user has
 * verified it, because anyone may register with any email.
 */
export function isOperator(
  { email, emailVerified, mustEnrol }: ProvenUser,
  operatorEmails: ReadonlySet<string>,
): boolean {
  return emailVerified && !mustEnrol && operatorEmails.has(email.toLowerCase());
}
