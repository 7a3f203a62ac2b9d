import { catalogue } from '../../ui/language';

export const messages = catalogue({
  en: {
    title: 'Your account',
    sessions: 'Where you are signed in',
    unknownDevice: 'Unknown device',
    current: 'This browser',
    signedIn: (time: string) => `since ${time}`,
    lastSeen: (time: string) => `last seen ${time}`,
    end: 'Sign out there',
    endOf: (device: string) => `Sign out of ${device}`,
  },
  pt: {
    title: 'Sua conta',
    sessions: 'Onde você está conectado',
    unknownDevice: 'Dispositivo desconhecido',
    current: 'Este navegador',
    signedIn: (time: string) => `desde ${time}`,
    lastSeen: (time: string) => `visto por último ${time}`,
    end: 'Encerrar',
    endOf: (device: string) => `Encerrar a sessão de ${device}`,
  },
});
