import { Button, Table, VisuallyHidden } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { messages } from '../messages';
import classes from './chart-panel.module.css';
import { Panel } from './panel';

interface ChartPanelProps {
  readonly title: string;
  readonly subtitle?: string;
  /** Column names of the table with the same figures. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The chart; the table has the same information. */
  readonly children: ReactNode;
}

/** A chart with its figures as a table: always for screen readers, on request for everyone. */
export function ChartPanel({ title, subtitle, columns, rows, children }: ChartPanelProps) {
  const [isTableShown, setTableShown] = useState(false);
  const table = <FigureTable caption={title} columns={columns} rows={rows} />;
  return (
    <Panel
      title={title}
      subtitle={subtitle}
      actions={
        <Button
          size="compact-xs"
          variant="subtle"
          aria-pressed={isTableShown}
          onClick={() => setTableShown(!isTableShown)}
        >
          {isTableShown ? messages.hideTable : messages.showTable}
        </Button>
      }
    >
      {isTableShown ? (
        <div className={classes.scroller} tabIndex={0} role="group" aria-label={title}>
          {table}
        </div>
      ) : (
        <>
          <div aria-hidden>{children}</div>
          <VisuallyHidden>{table}</VisuallyHidden>
        </>
      )}
    </Panel>
  );
}

interface FigureTableProps extends Pick<ChartPanelProps, 'columns' | 'rows'> {
  readonly caption: string;
}

function FigureTable({ caption, columns, rows }: FigureTableProps) {
  return (
    <Table verticalSpacing={4}>
      <caption>
        <VisuallyHidden>{caption}</VisuallyHidden>
      </caption>
      <Table.Thead>
        <Table.Tr>
          {columns.map((name) => (
            <Table.Th key={name} scope="col">
              {name}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row[0]}>
            {row.map((cell, index) => (
              <Table.Td key={columns[index]}>{cell}</Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
