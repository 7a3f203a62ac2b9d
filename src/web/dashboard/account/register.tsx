import { useState } from 'react';
import type { Schema } from '../../api/client';
import { ApiKeyOnce } from './api-key-once';
import { Frame } from './frame';
import { messages } from './messages';
import { RegistrationForm } from './registration-form';

export function Register() {
  const [company, setCompany] = useState<Schema<'NewUserCompany'> | null>(null);
  if (company !== null) return <ApiKeyOnce company={company} />;
  return (
    <Frame title={messages.register} subtitle={messages.registerSubtitle}>
      <RegistrationForm onRegistered={setCompany} />
    </Frame>
  );
}
