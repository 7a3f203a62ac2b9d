import { catalogue } from '../../ui/language';

export const messages = catalogue({
  en: {
    title: 'Customers',
    subtitle: 'Press / to find one by name, email, CPF or CNPJ.',
    total: (count: number, shown: string) => (count === 1 ? '1 customer' : `${shown} customers`),
    customer: 'Customer',
    document: 'CPF or CNPJ',
    since: 'Since',
    none: 'No customers yet',
    noneHint: 'They appear here with their first payment or subscription.',
    filterHint: 'Name, email, CPF or CNPJ',
    nobody: 'Nobody found',
    typeMore: 'Type at least two letters',
  },
  pt: {
    title: 'Clientes',
    subtitle: 'Tecle / para buscar por nome, e-mail, CPF ou CNPJ.',
    total: (count: number, shown: string) => (count === 1 ? '1 cliente' : `${shown} clientes`),
    customer: 'Cliente',
    document: 'CPF ou CNPJ',
    since: 'Desde',
    none: 'Nenhum cliente ainda',
    noneHint: 'Eles aparecem aqui com o primeiro pagamento ou assinatura.',
    filterHint: 'Nome, e-mail, CPF ou CNPJ',
    nobody: 'Ninguém encontrado',
    typeMore: 'Digite ao menos duas letras',
  },
});
