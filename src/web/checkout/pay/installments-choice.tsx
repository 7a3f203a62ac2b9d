import ChevronDown from 'lucide-react/icons/chevron-down';
import { useId } from 'react';
import classes from '../ui/field.module.css';
import { messages } from '../messages';

interface InstallmentsChoiceProps {
  readonly options: ReadonlyArray<{ readonly count: number; readonly label: string }>;
  readonly chosen: number;
  readonly choose: (count: number) => void;
}

export function InstallmentsChoice({ options, chosen, choose }: InstallmentsChoiceProps) {
  const id = useId();
  if (options.length < 2) return null;
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{messages.installments}</label>
      <div className={classes.box}>
        <select id={id} value={chosen} onChange={({ currentTarget }) => choose(Number(currentTarget.value))}>
          {options.map(({ count, label }) => (
            <option key={count} value={count}>
              {label}
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
