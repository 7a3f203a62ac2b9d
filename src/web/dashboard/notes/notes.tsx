import { Button, Stack, Text, Textarea } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import type { Schema } from '../../api/client';
import { IdempotencyKeys } from '../../api/idempotency-keys';
import { FormError } from '../../ui/forms/form-error';
import { QueryContent } from '../../ui/layout/page-states';
import { Panel } from '../../ui/layout/panel';
import { Allowed } from '../shared/allowed';
import { useDates } from '../shared/use-dates';
import { messages } from './messages';
import classes from './notes.module.css';
import { addNote, notesQuery, type NoteTarget } from './queries';

/** What the company's users wrote about a payment or a customer, newest first. */
export function Notes({ about }: { readonly about: NoteTarget }) {
  const notes = useInfiniteQuery(notesQuery(about));
  return (
    <Panel title={messages.title}>
      <Stack gap="md">
        <Allowed to="notes:write">
          <NewNote about={about} />
        </Allowed>
        <QueryContent query={notes}>
          {({ pages }) => <NoteList notes={pages.flatMap(({ data }) => data)} />}
        </QueryContent>
        {notes.hasNextPage && (
          <Button
            variant="default"
            size="xs"
            className={classes.button}
            loading={notes.isFetchingNextPage}
            onClick={() => void notes.fetchNextPage()}
          >
            {messages.older}
          </Button>
        )}
      </Stack>
    </Panel>
  );
}

function NoteList({ notes }: { readonly notes: ReadonlyArray<Schema<'Note'>> }) {
  const dates = useDates();
  if (notes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {messages.none}
      </Text>
    );
  return (
    <ul className={classes.list}>
      {notes.map(({ id, author, text, created_at: at }) => (
        <li key={id}>
          <Text size="sm" className={classes.text} {...(text === null && { c: 'dimmed' })}>
            {text ?? messages.erased}
          </Text>
          <Text size="xs" c="dimmed">
            {author} · <time dateTime={at}>{dates.minute(at)}</time>
          </Text>
        </li>
      ))}
    </ul>
  );
}

/** As many characters as the API takes. */
const MAX_LENGTH = 2_000;

function NewNote({ about }: { readonly about: NoteTarget }) {
  const [text, setText] = useState('');
  const [keys, setKeys] = useState(() => new IdempotencyKeys());
  const queryClient = useQueryClient();
  const adding = useMutation({
    mutationFn: () => addNote(about, text, keys.keyFor({ about, text })),
    onError: (error) => keys.handleError(error),
    onSuccess: () => {
      setText('');
      // The same text written once more is another note.
      setKeys(new IdempotencyKeys());
      return queryClient.invalidateQueries({ queryKey: ['notes', about] });
    },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (text.trim() !== '') adding.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <FormError error={adding.error} />
        <Textarea
          label={messages.text}
          description={messages.hint}
          value={text}
          onChange={({ currentTarget: { value } }) => setText(value)}
          maxLength={MAX_LENGTH}
          autosize
          minRows={2}
          maxRows={8}
        />
        <Button
          type="submit"
          variant="default"
          size="xs"
          className={classes.button}
          loading={adding.isPending}
          disabled={text.trim() === ''}
        >
          {messages.add}
        </Button>
      </Stack>
    </form>
  );
}
