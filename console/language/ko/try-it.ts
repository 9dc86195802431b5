import type { Translated } from '../catalogue.ts'
import type { tryIt as english } from '../en/try-it.ts'

export const tryIt: Translated<typeof english> = {
  title: '시험해 보기',
  intro: '서버의 도구를 호출하고 그 사이에 무엇을 묻는지 봅니다.',
  server: '서버',
  tools: '도구',
  noServer: '준비된 서버가 없습니다. "서버" 화면에서 시작하세요.',
  noTools: '이 서버에는 도구가 없습니다.',
  asJson: 'JSON으로 쓴 인수',
  badJson: 'JSON 객체가 아닙니다.',
  noArguments: '인수가 없습니다.',
  call: '호출',
  callAnyway: '그래도 호출',
  cancel: '호출 취소',
  state: {
    running: '실행 중',
    done: '완료',
    failed: '실패',
    cancelled: '취소됨',
  },
  question: '도중에 묻습니다',
  open: '대기 목록에서 답하기',
  resultError: '도구가 오류를 알렸습니다',
  structured: '구조화된 내용',
  calls: '호출 기록',
  schema: '입력 스키마',
}
