import { catalogue } from '../ui/language';
import { en } from './messages-en';
import { pt } from './messages-pt';

export const messages = catalogue({ en, pt });
