import { Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import { WorkflowLink } from '../shared/workflow-link';
import { OperationDialog } from './lazy-dialogs';
import { messages } from './messages';
import { allowedOperations, type Operation } from './operations';
import type { UserPayment } from './queries';
import { useMay } from '../shared/allowed';

export function PaymentActions({ data: { payment, workflow } }: { readonly data: UserPayment }) {
  const [selected, select] = useState<Operation | null>(null);
  const mayChange = useMay('payments:write');
  return (
    <>
      {(mayChange ? allowedOperations(payment) : []).map((operation) => (
        <Button
          key={operation}
          variant={operation === 'capture' ? 'filled' : 'default'}
          onClick={() => select(operation)}
        >
          {messages[operation]}
        </Button>
      ))}
      <WorkflowLink workflow={workflow} />
      {selected !== null && (
        <Suspense>
          <OperationDialog operation={selected} payment={payment} close={() => select(null)} />
        </Suspense>
      )}
    </>
  );
}
