import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes } from 'react';
import classes from './section-link.module.css';

/** A link to one of several pages that belong together. */
export const SectionLink = createLink(function SectionLink(props: AnchorHTMLAttributes<HTMLAnchorElement>) {
  return <a {...props} className={classes.section} />;
});
