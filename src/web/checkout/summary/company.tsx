import { onCurrentHost, type CheckoutOffer } from '../page-data';
import classes from './summary.module.css';

export function Company({ company: { name, logo_url: logo } }: Pick<CheckoutOffer, 'company'>) {
  return (
    <p className={classes.company}>
      {logo !== null && <img src={onCurrentHost(logo)} alt="" className={classes.logo} />}
      {logo === null && (
        <span className={classes.initial} aria-hidden>
          {[...name][0]?.toUpperCase()}
        </span>
      )}
      <span>{name}</span>
    </p>
  );
}
