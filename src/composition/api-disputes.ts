import type { Logger } from 'pino';
import { AnswerDispute } from '../application/disputes/answer-dispute';
import { Evidence } from '../application/disputes/evidence';
import { ReleaseCard } from '../application/disputes/release-card';
import type { CreateOnce } from '../application/shared/create-once';
import type { Config } from '../config';
import type { DisputeRouteDeps } from '../http/routes/disputes/dispute-routes';
import { DisputeList } from '../persistence/read-models/dispute-list';
import { DisputeWorkflows } from '../temporal/disputes';
import { workflowLink } from '../temporal/workflow-link';
import { disputeWorkflowId } from '../../workflows/disputes/messages';
import { possibleAnswers } from '../domain/disputes/possible-answers';
import type { AppContext } from './app-context';

export function createDisputes(
  config: Config,
  context: AppContext,
  log: Pick<Logger, 'warn'>,
  createOnce: CreateOnce,
): DisputeRouteDeps {
  const workflows = new DisputeWorkflows(context.temporal, config.temporal.taskQueue);
  const disputes = new DisputeList(context.db);
  const answerDispute = new AnswerDispute({
    ...context,
    disputeList: disputes,
    wake: (dispute) => workflows.wake(dispute),
    reportError: (transactionId, error) => {
      log.warn(
        { transaction_id: transactionId, err: error },
        'dispute workflow signal failed; sweeper will retry',
      );
    },
  });
  const releaseCard = new ReleaseCard({ ...context, disputeList: disputes });
  const { uiUrl: url, namespace } = config.temporal;
  return {
    ...{ disputes, answerDispute, releaseCard, evidence: new Evidence(context), createOnce },
    answersTo: (companyId, dispute) => {
      const { disputeAnswers = [] } = context.registries.of(companyId).capabilities(dispute.gatewaySlug);
      return possibleAnswers(dispute, dispute.lastRequest, disputeAnswers);
    },
    workflowLink: (id) => workflowLink({ url, namespace }, disputeWorkflowId(id)),
  };
}
