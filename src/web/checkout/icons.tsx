import Alert from 'lucide-react/icons/circle-alert';

/** Beside words that say the same. */
export const ErrorIcon = () => <Alert size={14} strokeWidth={2.25} aria-hidden />;
