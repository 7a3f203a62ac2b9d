import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './list.module.css';

interface ListTableProps {
  /** Whether the rows are those of an earlier search. */
  readonly outdated: boolean;
  readonly children: ReactNode;
}

/** A table whose rows are links. */
export function ListTable({ outdated, children }: ListTableProps) {
  return (
    <Table
      className={classes.table}
      data-outdated={outdated}
      aria-busy={outdated}
      highlightOnHover
      verticalSpacing="sm"
      horizontalSpacing="lg"
    >
      {children}
    </Table>
  );
}
