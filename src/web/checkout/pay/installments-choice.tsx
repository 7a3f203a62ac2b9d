import ChevronDown from 'lucide-react/icons/chevron-down';
import { useId } from 'react';
import classes from '../ui/field.module.css';
import { messages } from '../messages';

interface PartsChoiceProps {
  readonly options: ReadonlyArray<{ readonly parts: number; readonly words: string }>;
  readonly chosen: number;
  readonly choose: (parts: number) => void;
}

/** In how many monthly parts a card pays. */
export function PartsChoice({ options, chosen, choose }: PartsChoiceProps) {
  const id = useId();
  if (options.length < 2) return null;
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{messages.installments}</label>
      <div className={classes.box}>
        <select id={id} value={chosen} onChange={({ currentTarget }) => choose(Number(currentTarget.value))}>
          {options.map(({ parts, words }) => (
            <option key={parts} value={parts}>
              {words}
            </option>
          ))}
        </select>
        <span className={classes.mark}>
          <ChevronDown size={16} aria-hidden />
        </span>
      </div>
    </div>
  );
}
