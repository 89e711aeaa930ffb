import { Modal, type ModalProps } from '@mantine/core';
import { t } from '../lib/texts';

/** Dialog is a modal window in the program's own look; while it is open no key outside it acts. */
export const Dialog = (props: ModalProps) => (
  <Modal centered closeButtonProps={{ 'aria-label': t.fault.close }} transitionProps={{ duration: 0 }} {...props} />
);
