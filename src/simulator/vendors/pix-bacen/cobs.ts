import type { ChargeBody } from '../../../gateways/simulator/wire';
import type { StoredCharge } from '../../charge-store';
import type { SimulatorRequestContext } from '../../charges';
import { post } from '../../ledger';
import { pixCode } from '../../pix-codes';
import type { SimulatorCore, WorkResult } from '../adapter';
import { followUpReference, ownReference } from '../our-reference';
import { type CobBody, type CobRevision, centsOf } from './bodies';
import { type CobData, cobDataOf, cobObject, createdAtOf } from './cob-object';
import { problem, violation } from './problems';

/** A key of the DICT that begins so belongs to another receiver. */
const FOREIGN_KEY = 'outro@';

/** The charge of a `txid`, which is unique per receiver. */
export function findCob(
  core: SimulatorCore,
  { gateway, account }: Pick<SimulatorRequestContext, 'gateway' | 'account'>,
  txid: string,
): StoredCharge | null {
  const charges = core.store.withReference(gateway, ownReference(txid));
  return (
    charges.findLast(
      (charge) => cobDataOf(charge).txid === txid && core.accounts.canRead(account, charge.account),
    ) ?? null
  );
}

/** `PUT /cob/{txid}`: creates the charge, or changes the one that is there. */
export function putCob(
  core: SimulatorCore,
  context: SimulatorRequestContext,
  txid: string,
  body: CobBody,
): WorkResult {
  if (body.chave.startsWith(FOREIGN_KEY))
    return { response: violation('CobOperacaoInvalida', 'cob.chave', NOT_THE_RECEIVERS) };
  const { behavior, gateway } = context;
  // "Um usuário recebedor, ao acessar uma funcionalidade não contemplada no seu escopo contratual": AcessoNegado.
  if (behavior.lacks !== undefined) return { response: problem('AcessoNegado') };
  const existing = findCob(core, context, txid);
  const data = dataOf(txid, body);
  if (existing !== null) return change(core, existing, centsOf(body.valor.original), data);
  const previous = behavior.duplicate_id === true ? core.store.newestChargeAt(gateway) : null;
  const created = core.charges.create({ ...context, wireData: data }, 'charge', chargeBodyOf(txid, body));
  if ('rejected' in created) return { response: problem('CobOperacaoInvalida') };
  return answer(core, 201, created.charge, previous ?? created.charge);
}

const NOT_THE_RECEIVERS =
  'O campo cob.chave corresponde a uma conta que não pertence a este usuário recebedor.';
const NOT_ACTIVE = 'A cobrança não está ATIVA, e a presente requisição busca alterá-la.';

/** `PATCH /cob/{txid}`: removes or changes an active charge. */
export function patchCob(
  core: SimulatorCore,
  context: SimulatorRequestContext,
  txid: string,
  { status, ...changes }: CobRevision,
): WorkResult {
  const charge = findCob(core, context, txid);
  if (charge === null) return { response: problem('CobNaoEncontrado') };
  if (!isActive(charge)) return { response: violation('CobOperacaoInvalida', 'cob.status', NOT_ACTIVE) };
  if (status !== undefined) {
    const others = Object.values(changes).filter((value) => value !== undefined);
    const razao = 'A requisição propõe remover a cobrança juntamente com outras alterações.';
    if (others.length > 0) return { response: violation('CobOperacaoInvalida', 'cob.status', razao) };
    return remove(core, context, charge);
  }
  const old = cobDataOf(charge);
  const cents = changes.valor === undefined ? charge.amount : centsOf(changes.valor.original);
  const data: CobData = {
    ...old,
    chave: changes.chave ?? old.chave,
    expiracao: changes.calendario?.expiracao ?? old.expiracao,
    solicitacao: changes.solicitacaoPagador ?? old.solicitacao,
    info: changes.infoAdicionais ?? old.info,
    modalidade: changes.valor?.modalidadeAlteracao ?? old.modalidade,
  };
  const { response, ...changed } = change(core, charge, cents, data);
  return { ...changed, response: response.status === 201 ? { ...response, status: 200 } : response };
}

const isActive = ({ status }: StoredCharge): boolean => status === 'pending' || status === 'expired';

function remove(core: SimulatorCore, context: SimulatorRequestContext, charge: StoredCharge): WorkResult {
  // An expired charge is still ATIVA, so it can be removed.
  const active: StoredCharge = { ...charge, status: 'pending' };
  const canceled = core.charges.cancel(context, active, {
    reference: followUpReference(charge, 'cancel', []),
    amount: charge.amount,
    splits: [],
    reason: null,
    bank_account: null,
  });
  if ('rejected' in canceled) return { response: violation('CobOperacaoInvalida', 'cob.status', NOT_ACTIVE) };
  return answer(core, 200, canceled.charge, canceled.charge);
}

/** The same content again is the same charge; other content is its next revision, as long as it is active. */
function change(core: SimulatorCore, charge: StoredCharge, amount: number, wanted: CobData): WorkResult {
  const old = cobDataOf(charge);
  const isSame =
    charge.amount === amount &&
    JSON.stringify({ ...wanted, revisao: 0 }) === JSON.stringify({ ...old, revisao: 0 });
  if (isSame) return answer(core, 201, charge, charge);
  if (!isActive(charge)) return { response: violation('CobOperacaoInvalida', 'cob.status', NOT_ACTIVE) };
  const [first, ...rest] = charge.operations;
  if (first === undefined) return { response: problem('CobNaoEncontrado') };
  const wireData = { ...wanted, revisao: old.revisao + 1 };
  const expires = Date.parse(createdAtOf(charge)) + wanted.expiracao * 1_000;
  const changed: StoredCharge = {
    ...charge,
    amount,
    status: 'pending',
    expiresAt: new Date(expires).toISOString(),
    pix: charge.pix && { ...charge.pix, qrCode: pixCode(amount, charge.id.slice('ch_'.length)) },
    operations: [{ ...first, amount, wireData }, ...rest],
  };
  core.store.commit(changed, charge.reference, [post.memo('pending', amount)], new Date());
  return answer(core, 201, changed, changed);
}

function answer(core: SimulatorCore, status: number, charge: StoredCharge, shown: StoredCharge): WorkResult {
  return { response: { status, body: cobObject(shown, core.origin) }, charge };
}

function dataOf(txid: string, body: CobBody): CobData {
  return {
    txid,
    chave: body.chave,
    expiracao: body.calendario.expiracao,
    modalidade: body.valor.modalidadeAlteracao ?? null,
    solicitacao: body.solicitacaoPagador ?? null,
    info: body.infoAdicionais ?? [],
    revisao: 0,
  };
}

function chargeBodyOf(txid: string, { valor, calendario }: CobBody): ChargeBody {
  return {
    reference: ownReference(txid),
    amount: centsOf(valor.original),
    currency: 'BRL',
    method: 'pix',
    installments: 1,
    soft_descriptor: null,
    // The core keeps no customer data.
    customer: { name: '', email: '', document: '' },
    card: null,
    billing_address: null,
    splits: [],
    expires_in: calendario.expiracao,
    instructions: null,
    initiation: { initiator: 'customer', reason: 'one_off' },
  };
}
