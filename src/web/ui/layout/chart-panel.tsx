import { Button, ScrollArea, Table, VisuallyHidden } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { messages } from '../messages';
import { Panel } from './panel';

interface ChartPanelProps {
  readonly title: string;
  readonly about?: string;
  /** The same figures as a table, the names of its columns first. */
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The picture; it says nothing that the table does not. */
  readonly children: ReactNode;
}

const TABLE_HEIGHT = 280;

/** A chart, and its figures as a table: for screen readers always, for everybody at a click. */
export function ChartPanel({ title, about, head, rows, children }: ChartPanelProps) {
  const [tableShown, showTable] = useState(false);
  const table = <Figures caption={title} head={head} rows={rows} />;
  return (
    <Panel
      title={title}
      about={about}
      actions={
        <Button
          size="compact-xs"
          variant="subtle"
          aria-pressed={tableShown}
          onClick={() => showTable(!tableShown)}
        >
          {tableShown ? messages.hideTable : messages.showTable}
        </Button>
      }
    >
      {tableShown ? (
        <ScrollArea h={TABLE_HEIGHT} viewportProps={{ tabIndex: 0 }}>
          {table}
        </ScrollArea>
      ) : (
        <>
          <div aria-hidden>{children}</div>
          <VisuallyHidden>{table}</VisuallyHidden>
        </>
      )}
    </Panel>
  );
}

interface FiguresProps extends Pick<ChartPanelProps, 'head' | 'rows'> {
  readonly caption: string;
}

function Figures({ caption, head, rows }: FiguresProps) {
  return (
    <Table verticalSpacing={4}>
      <caption>
        <VisuallyHidden>{caption}</VisuallyHidden>
      </caption>
      <Table.Thead>
        <Table.Tr>
          {head.map((name) => (
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
              <Table.Td key={head[index]}>{cell}</Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
