import { Button, Code } from '@mantine/core'
import { IconMoodSad } from '@tabler/icons-react'
import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../parts/empty-state.tsx'

interface State {
  readonly fault: Error | undefined
}

/** A fault of one screen takes that screen away and nothing else. React has no other way to catch it than a class. */
export class FaultBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { fault: undefined }

  static getDerivedStateFromError(fault: Error): State {
    return { fault }
  }

  override render(): ReactNode {
    const { fault } = this.state
    return fault === undefined ? this.props.children : <Fault fault={fault} onRetry={() => this.setState({ fault: undefined })} />
  }
}

function Fault({ fault, onRetry }: { readonly fault: Error; readonly onRetry: () => void }): ReactNode {
  const { t } = useTranslation()
  return (
    <EmptyState icon={<IconMoodSad size={32} stroke={1.4} />} title={t('common.unexpected')}>
      <Code>{fault.message}</Code>
      <div>
        <Button variant="default" onClick={onRetry}>
          {t('common.reload')}
        </Button>
      </div>
    </EmptyState>
  )
}
