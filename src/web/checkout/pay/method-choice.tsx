import CreditCard from 'lucide-react/icons/credit-card';
import QrCode from 'lucide-react/icons/qr-code';
import { messages } from '../messages';
import classes from './method-choice.module.css';

export type Method = 'card' | 'pix';

const ICONS = { card: CreditCard, pix: QrCode };

interface MethodChoiceProps {
  readonly offered: readonly Method[];
  readonly chosen: Method;
  readonly choose: (method: Method) => void;
}

export function MethodChoice({ offered, chosen, choose }: MethodChoiceProps) {
  if (offered.length < 2) return null;
  return (
    <fieldset className={classes.choice}>
      <legend>{messages.method}</legend>
      <div className={classes.options}>
        {offered.map((method) => {
          const Icon = ICONS[method];
          return (
            <label key={method} className={classes.option}>
              <input
                type="radio"
                name="method"
                value={method}
                checked={method === chosen}
                onChange={() => choose(method)}
              />
              <Icon size={20} aria-hidden />
              {messages[method]}
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
