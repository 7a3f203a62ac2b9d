import { Alert, List, Text } from '@mantine/core';
import { RequestError } from '../../../api/request-error';
import { errorMessage } from '../../../ui/forms/error-messages';
import { lineErrorsOf } from './line-errors';
import { messages } from './messages';

/** Why a file was not taken: the wrong lines, each with what to mend. */
export function UploadError({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null;
  const errors = lineErrorsOf(error instanceof RequestError ? (error.fields['body'] ?? []) : []);
  return (
    <Alert color="red" role="alert" title={titleOf(error, errors.length > 0)}>
      {errors.length > 1 && <Text size="sm">{messages.firstErrors(errors.length)}</Text>}
      {errors.length > 0 && (
        <List size="sm">
          {errors.map(({ place, problem }) => (
            <List.Item key={`${place} ${problem}`}>
              {place !== null && <strong>{place}: </strong>}
              {problem}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}

function titleOf(error: unknown, hasLines: boolean): string {
  if (hasLines) return messages.wrongLines;
  const code = error instanceof RequestError ? error.code : null;
  if (code === 'payload_too_large') return messages.tooLarge;
  if (code === 'invalid_state') return messages.otherFile;
  return errorMessage(error);
}
