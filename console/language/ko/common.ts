import type { Translated } from '../catalogue.ts'
import type { common as english } from '../en/common.ts'

export const common: Translated<typeof english> = {
  cancel: '취소',
  close: '닫기',
  copied: '복사됨',
  day: {
    pick: '날짜 고르기',
    previous: '이전 달',
    next: '다음 달',
    time: '시각(HH:MM)',
    year: '연도',
    take: '선택',
    wrong: '날짜를 연-월-일로 쓰세요. 예: 2026-12-31',
    wrongTime: '시각을 09:30처럼 쓰세요.',
  },
  decline: '거절',
  deny: '거부',
  dismiss: '지우기',
  edit: '수정',
  failed: '실패했습니다: {{reason}}',
  loading: '불러오는 중…',
  moreCharacters_other: '{{count, number}}자 더 보기',
  no: '아니요',
  retry: '다시 시도',
  says: '{{server}}의 메시지',
  send: '보내기',
  showLess: '간단히 보기',
  unexpected: '이 화면에서 문제가 생겼습니다. 아무것도 결정되거나 전송되지 않았습니다.',
  reload: '다시 불러오기',
  yes: '예',
}
