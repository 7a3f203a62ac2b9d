import type { Sequelize } from 'sequelize';
import { defineBillingCycle } from './billing-cycle';
import { defineCompany } from './company';
import { defineDispute } from './dispute';
import { defineGatewayAttempt } from './gateway-attempt';
import { defineGatewayCredential } from './gateway-credential';
import { definePayment } from './payment';
import { defineSubAccount } from './sub-account';
import { defineSubscription } from './subscription';
import { defineUser } from './user';
import { defineVaultCard } from './vault-card';

/** Binds every model to this connection. Call it once per process. */
export function initModels(sequelize: Sequelize): void {
  defineCompany(sequelize);
  defineUser(sequelize);
  defineSubAccount(sequelize);
  defineGatewayCredential(sequelize);
  defineVaultCard(sequelize);
  definePayment(sequelize);
  defineGatewayAttempt(sequelize);
  defineSubscription(sequelize);
  defineBillingCycle(sequelize);
  defineDispute(sequelize);
}
