import { Button } from '@mantine/core';
import { useState } from 'react';
import { WorkflowLink } from '../shared/workflow-link';
import { messages } from './messages';
import { OperationDialog } from './operation-dialog';
import { possibleOperations, type Operation } from './operations';
import type { UserPayment } from './queries';

/** What can be done about the payment. */
export function PaymentActions({ data: { payment, workflow } }: { readonly data: UserPayment }) {
  const [asked, ask] = useState<Operation | null>(null);
  return (
    <>
      {possibleOperations(payment).map((operation) => (
        <Button
          key={operation}
          variant={operation === 'capture' ? 'filled' : 'default'}
          onClick={() => ask(operation)}
        >
          {messages[operation]}
        </Button>
      ))}
      <WorkflowLink workflow={workflow} />
      {asked !== null && <OperationDialog operation={asked} payment={payment} close={() => ask(null)} />}
    </>
  );
}
