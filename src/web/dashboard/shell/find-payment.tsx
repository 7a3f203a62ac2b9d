import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import Search from 'lucide-react/icons/search';
import { useState, type SyntheticEvent } from 'react';
import { messages } from './messages';
import classes from './shell.module.css';

/** Searches payments from any page. */
export function FindPayment() {
  const [text, setText] = useState('');
  const navigate = useNavigate();
  const find = (event: SyntheticEvent) => {
    event.preventDefault();
    const q = text.trim();
    if (q === '') return;
    setText('');
    void navigate({ to: '/payments', search: { q } });
  };
  return (
    <form role="search" onSubmit={find} className={classes.find}>
      <TextInput
        type="search"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        aria-label={messages.find}
        placeholder={messages.findHint}
        leftSection={<Search size={16} aria-hidden />}
        maxLength={255}
      />
    </form>
  );
}
