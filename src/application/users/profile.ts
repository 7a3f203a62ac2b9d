import { memberSubject } from '../../domain/companies/audit';
import type { AuditActor } from '../../domain/companies/audit-actor';
import type { AuthenticatedUser, User } from '../../domain/companies/user';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type { UserRepository } from '../../persistence/companies/user-repository';
import type { Database } from '../../persistence/sql/transaction';

export interface ProfileDeps {
  readonly db: Database;
  readonly users: UserRepository;
  readonly audit: AuditRepository;
}

type ProfileFields = Pick<User, 'name' | 'language'>;

/** What users change of their own account without a proof. */
export class Profile {
  constructor(private readonly deps: ProfileDeps) {}

  /** Only what is given and differs is changed. */
  async update(
    actor: AuditActor,
    user: AuthenticatedUser,
    change: { readonly [Field in keyof ProfileFields]?: ProfileFields[Field] | undefined },
  ): Promise<ProfileFields> {
    const { db, users, audit } = this.deps;
    const next = { name: change.name?.trim() ?? user.name, language: change.language ?? user.language };
    const fields = ['name', 'language'] as const;
    const changed = fields.filter((field) => next[field] !== user[field]);
    if (changed.length === 0) return next;
    const changes = Object.fromEntries(
      changed.map((field) => [field, { from: user[field], to: next[field] }]),
    );
    await db.inTransaction(async (tx) => {
      await users.updateProfile(tx, user.id, next);
      await audit.insert(tx, {
        ...actor,
        ...memberSubject(user.id),
        action: 'member.update_profile',
        changes,
      });
    });
    return next;
  }
}
