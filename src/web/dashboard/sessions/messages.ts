import { catalogue } from '../../ui/language';

export const messages = catalogue({
  en: {
    own: 'Where you are signed in',
    of: (name: string) => `Where ${name} is signed in`,
    none: (name: string) => `${name} is not signed in anywhere.`,
    unknownDevice: 'Unknown device',
    current: 'This browser',
    signedIn: (time: string) => `since ${time}`,
    lastSeen: (time: string) => `last seen ${time}`,
    end: 'Sign out',
    endOf: (device: string) => `Sign out of ${device}`,
    ended: 'The session has ended.',
  },
  pt: {
    own: 'Onde você está conectado',
    of: (name: string) => `Onde ${name} está conectado`,
    none: (name: string) => `${name} não está conectado em nenhum lugar.`,
    unknownDevice: 'Dispositivo desconhecido',
    current: 'Este navegador',
    signedIn: (time: string) => `desde ${time}`,
    lastSeen: (time: string) => `visto por último ${time}`,
    end: 'Encerrar',
    endOf: (device: string) => `Encerrar a sessão de ${device}`,
    ended: 'A sessão foi encerrada.',
  },
});
