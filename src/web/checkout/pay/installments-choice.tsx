import ChevronDown from 'lucide-react/icons/chevron-down';
import { useId } from 'react';
import classes from '../ui/field.module.css';
import { messages } from '../messages';
import { optionLabel, optionNotes, type InstallmentOption } from '../summary/installments';

interface InstallmentsChoiceProps {
  readonly options: readonly InstallmentOption[];
  readonly currency: string;
  readonly chosen: InstallmentOption | null;
  readonly choose: (installments: number) => void;
}

/** The options that the session offers, and nothing else. */
export function InstallmentsChoice({ options, currency, chosen, choose }: InstallmentsChoiceProps) {
  const id = useId();
  if (options.length < 2) return null;
  const notes = chosen === null ? [] : optionNotes(chosen, currency);
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{messages.installments}</label>
      <div className={classes.box}>
        <select
          id={id}
          value={chosen?.installments}
          aria-describedby={notes.length > 0 ? `${id}-notes` : undefined}
          onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
        >
          {options.map((option) => (
            <option key={option.installments} value={option.installments}>
              {optionLabel(option, currency)}
            </option>
          ))}
        </select>
        <span className={classes.mark}>
          <ChevronDown size={16} aria-hidden />
        </span>
      </div>
      {notes.length > 0 && (
        <p id={`${id}-notes`} className={classes.hint}>
          {notes.join(' ')}
        </p>
      )}
    </div>
  );
}
