import type { Schema } from '../../api/client';
import { catalogue } from '../../ui/language';

type Status = Schema<'SystemStatus'>;
export type WorkKind = NonNullable<Status['backlog']>[number]['kind'];
type TaskQueue = NonNullable<Status['task_queues']>[number];

export const messages = catalogue({
  en: {
    title: 'System status',
    subtitle: 'For the operators of this deployment. No figure is of one company.',
    checked: (time: string) => `Checked at ${time}`,
    backlog: 'Waiting work',
    allFromDatabase: 'Of all processes, from the database.',
    databaseSilent: 'The database could not be read.',
    overdue: 'Overdue work',
    overdueHint:
      'What the sweepers of the workers should have taken by now. Of all processes, from the database.',
    circuits: 'Circuits of gateways',
    closed: 'All closed',
    open: (companies: string) => `Open for ${companies}`,
    queues: 'Tasks at Temporal',
    queuesHint: 'Of all processes, from Temporal. Its figures are approximate.',
    temporalSilent: 'Temporal did not answer in time.',
    process: 'This API process',
    processHint:
      'Only the process that answered: the next answer may come from another. What workers count is at /metrics of each worker.',
    kind: 'Kind',
    queue: 'Queue',
    waiting: 'Waiting',
    oldest: 'Oldest',
    perSecond: 'New per second',
    pollers: 'Processes',
    kinds: {
      callback: 'Callbacks that are not processed',
      webhook: 'Webhooks that are not delivered',
      payment_inquiry: 'Payments with an unknown outcome, in inquiry',
      payment_review: 'Payments that wait for a person',
      renewal_held: 'Renewals on hold, because no gateway answers',
      webhook_overdue: 'Webhooks',
      payment_overdue: 'Payments',
      subscription_overdue: 'Subscriptions',
      sub_account_overdue: 'Recipients',
    } satisfies Readonly<Record<WorkKind, string>>,
    queueNames: { main: 'Main', webhooks: 'Webhooks' } satisfies Readonly<Record<TaskQueue['queue'], string>>,
    taskNames: { workflow: 'workflow tasks', activity: 'activities' } satisfies Readonly<
      Record<TaskQueue['tasks'], string>
    >,
    host: 'Host and process',
    release: 'Release',
    started: 'Started',
    connections: 'Database connections',
    connectionsOf: (used: string, max: string, waiting: string) =>
      `${used} of ${max} in use, ${waiting} waiting`,
    waits: 'Waits for a connection',
    waitsOf: (count: string, average: string, slow: string) =>
      `${count}, ${average} on average, ${slow} over 0.1 s`,
  },
  pt: {
    title: 'Estado do sistema',
    subtitle: 'Para os operadores desta instalação. Nenhum número é de uma só empresa.',
    checked: (time: string) => `Verificado em ${time}`,
    backlog: 'Trabalho em espera',
    allFromDatabase: 'De todos os processos, do banco de dados.',
    databaseSilent: 'Não foi possível ler o banco de dados.',
    overdue: 'Trabalho atrasado',
    overdueHint:
      'O que as varreduras dos workers já deveriam ter assumido. De todos os processos, do banco de dados.',
    circuits: 'Circuitos dos gateways',
    closed: 'Todos fechados',
    open: (companies: string) => `Aberto para ${companies}`,
    queues: 'Tarefas no Temporal',
    queuesHint: 'De todos os processos, do Temporal. Os números dele são aproximados.',
    temporalSilent: 'O Temporal não respondeu a tempo.',
    process: 'Este processo da API',
    processHint:
      'Só o processo que respondeu: a próxima resposta pode vir de outro. O que os workers contam está em /metrics de cada worker.',
    kind: 'Tipo',
    queue: 'Fila',
    waiting: 'Em espera',
    oldest: 'Mais antigo',
    perSecond: 'Novas por segundo',
    pollers: 'Processos',
    kinds: {
      callback: 'Callbacks não processados',
      webhook: 'Webhooks não entregues',
      payment_inquiry: 'Pagamentos com resultado desconhecido, em consulta',
      payment_review: 'Pagamentos que esperam uma pessoa',
      renewal_held: 'Renovações suspensas, porque nenhum gateway responde',
      webhook_overdue: 'Webhooks',
      payment_overdue: 'Pagamentos',
      subscription_overdue: 'Assinaturas',
      sub_account_overdue: 'Recebedores',
    },
    queueNames: { main: 'Principal', webhooks: 'Webhooks' },
    taskNames: { workflow: 'tarefas de workflow', activity: 'atividades' },
    host: 'Máquina e processo',
    release: 'Versão',
    started: 'Iniciado',
    connections: 'Conexões com o banco de dados',
    connectionsOf: (used: string, max: string, waiting: string) =>
      `${used} de ${max} em uso, ${waiting} em espera`,
    waits: 'Esperas por uma conexão',
    waitsOf: (count: string, average: string, slow: string) =>
      `${count}, ${average} em média, ${slow} acima de 0,1 s`,
  },
});

const companies = catalogue({
  en: (count: string) => (count === '1' ? '1 company' : `${count} companies`),
  pt: (count: string) => (count === '1' ? '1 empresa' : `${count} empresas`),
});

export const openFor = (count: string): string => messages.open(companies(count));
