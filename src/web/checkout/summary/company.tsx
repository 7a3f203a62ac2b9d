import { onThisHost, type Offer } from '../pay/billing-address';
import classes from './summary.module.css';

/** Whom one pays. */
export function Company({ company: { name, logo_url: logo } }: Pick<Offer, 'company'>) {
  return (
    <p className={classes.company}>
      {logo !== null && <img src={onThisHost(logo)} alt="" className={classes.logo} />}
      {logo === null && (
        <span className={classes.initial} aria-hidden>
          {[...name][0]?.toUpperCase()}
        </span>
      )}
      <span>{name}</span>
    </p>
  );
}
