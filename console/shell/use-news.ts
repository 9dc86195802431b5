import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { waitingOf } from '../desk/desk-view.ts'
import { useDesk, useEvents } from '../desk/use-desk.ts'
import { headlineText } from '../inbox/headline.tsx'

/** What can be seen and heard of a new question by somebody who looks elsewhere: the number in the title, and a notification where it was allowed. */
export function useNews(): void {
  const { t } = useTranslation()
  const count = waitingOf(useDesk()).length
  useEffect(() => {
    document.title = count > 0 ? t('shell.badge', { count, title: 'Consentry' }) : 'Consentry'
  }, [count, t])
  useEvents((event) => {
    if (event.type !== 'review-opened' || document.hasFocus()) return
    if (!('Notification' in window) || Notification.permission !== 'granted') return
    const { review } = event
    const notification = new Notification('Consentry', { body: headlineText(review, t), tag: review.id })
    notification.addEventListener('click', () => {
      window.focus()
      location.hash = `#/inbox/${encodeURIComponent(review.id)}`
      notification.close()
    })
  })
}
