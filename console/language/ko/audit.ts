import type { Translated } from '../catalogue.ts'
import type { audit as english } from '../en/audit.ts'

export const audit: Translated<typeof english> = {
  title: '감사 기록',
  intro: '모든 질문, 결정, 응답을 최신순으로 보여 줍니다. 사람이 입력한 값은 담겨 있지 않습니다.',
  empty: '아직 아무 질문도 없었습니다. 서버가 무언가를 물으면 바로 여기에 기록됩니다.',
  none: '조건에 맞는 기록이 없습니다.',
  filters: '조건',
  server: '서버',
  request: '내용',
  event: '일어난 일',
  by: '결정한 쪽',
  from: '시작일',
  to: '종료일',
  search: '검색',
  all: '전체',
  time: '시각',
  outcome: '결과',
  details: '자세히',
  more: '이전 기록 더 보기',
  verify: '기록 검증',
  verified_other: '빠지거나 바뀐 것이 없습니다. 기록 {{count, number}}건.',
  broken: {
    altered: '{{position, number}}번 기록이 바뀌었습니다.',
    missing: '{{position, number}}번 기록이 빠졌습니다.',
  },
  export: '내보내기',
  events: {
    asked: '질문함',
    'review-opened': '사람에게 보임',
    decided: '결정함',
    answered: '응답함',
    withdrawn: '거둠',
  },
  requests: {
    roots: '폴더',
    elicitation: '질문',
    sampling: '모델 요청',
  },
  deciders: {
    person: '사람',
    rule: '규칙',
    script: '스크립트',
    none: '없음',
  },
}
