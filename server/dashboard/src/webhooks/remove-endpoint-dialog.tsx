import { Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { NotFoundError, type WebhookEndpoint } from '@tillhook/sdk/session';
import { type ReactNode, useState } from 'react';
import { FormDialog } from '../kit/form-dialog.tsx';
import { notify } from '../kit/notices.tsx';
import { useServiceMutation } from '../kit/use-service-mutation.ts';

interface RemoveDialogProps {
  endpoint: WebhookEndpoint;
  onClose: () => void;
}

/** The user types a word to confirm, because the removal cannot be undone. */
export function RemoveDialog({ endpoint: { id, url, mode }, onClose }: RemoveDialogProps): ReactNode {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const removing = useServiceMutation({
    // When the first response was lost, a retry gets 404, because the endpoint is already removed.
    mutate: (tillhook, endpointId: string) => tillhook.webhookEndpoints.remove(endpointId).then(() => null, nullIfGone),
    changes: ['deliveries', 'statistics'],
    onAnswer: async () => {
      void notify('Endpoint removed');
      await navigate({ to: '/$mode/webhooks', params: { mode } });
      // The page would request the removed endpoint, so the endpoints are read again only after the user has left the
      // page.
      await queryClient.invalidateQueries({ queryKey: [mode, 'webhooks'] });
    },
  });
  const submit = () => {
    if (typed.trim().toLowerCase() === confirmation) removing.mutate(id);
    else setProblem(`Type ${confirmation} to continue.`);
  };
  return (
    <FormDialog
      title="Remove endpoint"
      isOpen
      onClose={onClose}
      mutation={removing}
      onSubmit={submit}
      submitLabel="Remove endpoint"
      isDangerous
    >
      <Text size="sm">
        Nothing more is sent to <b dir="ltr">{url}</b>, including pending deliveries, and its secret is deleted. Past
        deliveries stay in the log for some time. To stop only for a while, pause the endpoint.
      </Text>
      <TextInput
        label={`Type ${confirmation} to confirm`}
        autoComplete="off"
        data-autofocus
        value={typed}
        error={problem}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setProblem(null);
        }}
      />
    </FormDialog>
  );
}

/** Choice: the user types one word and not the endpoint's URL, which can have 2,048 characters. */
const confirmation = 'remove';

function nullIfGone(error: unknown): null {
  if (error instanceof NotFoundError) return null;
  throw error;
}
