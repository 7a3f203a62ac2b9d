import { Text } from '@mantine/core';
import type { Schema } from '../../api/client';
import { TextLink } from '../shared/links';
import classes from './audit.module.css';

/** The changed object, with a link if it has a page. */
export function SubjectLink({ subject: { type, id } }: { readonly subject: Schema<'AuditSubject'> }) {
  switch (type) {
    case 'payment':
      return (
        <TextLink to="/payments/$id" params={{ id }} fz="xs" lineClamp={1} className={classes.long}>
          {id}
        </TextLink>
      );
    case 'customer':
      return (
        <TextLink
          to="/customers/$token"
          params={{ token: id }}
          fz="xs"
          lineClamp={1}
          className={classes.long}
        >
          {id}
        </TextLink>
      );
    case 'subscription':
      return (
        <TextLink to="/subscriptions/$id" params={{ id }} fz="xs" lineClamp={1} className={classes.long}>
          {id}
        </TextLink>
      );
    case 'settlement':
      return (
        <TextLink to="/reconciliation/statements/$id" params={{ id }} fz="xs" className={classes.long}>
          {id}
        </TextLink>
      );
    case 'settlement_item':
      return (
        <TextLink to="/reconciliation/differences/$id" params={{ id }} fz="xs" className={classes.long}>
          {id}
        </TextLink>
      );
    case 'webhook_endpoint':
      return (
        <TextLink to="/webhooks/$id" params={{ id }} fz="xs">
          {id}
        </TextLink>
      );
    case 'gateway':
      return (
        <TextLink to="/gateways" fz="xs">
          {id}
        </TextLink>
      );
    default:
      return (
        <Text size="xs" c="dimmed" lineClamp={1} className={classes.long}>
          {id}
        </Text>
      );
  }
}
