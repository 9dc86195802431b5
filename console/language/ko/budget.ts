import type { Translated } from '../catalogue.ts'
import type { budget as english } from '../en/budget.ts'

export const budget: Translated<typeof english> = {
  intro: '남은 예산으로는 이 모델 요청을 처리할 수 없습니다. 모델에 보낸 것은 없습니다.',
  wanted: '이 요청에 필요한 양',
  tokens: '{{count, number}}토큰',
  tokensAndCost: '{{count, number}}토큰, 최대 {{cost}}',
  limits: '다 쓴 한도',
  scope: { rule: '{{server}} 규칙의 한도', server: '{{server}}의 한도', total: '모든 서버를 합친 한도' },
  names: {
    requestsPerMinute: '분당 요청 수',
    tokensPerDay: '하루 토큰 수',
    costPerDay: '하루 비용',
    tokensPerRun: '이번 실행의 토큰 수',
    costPerRun: '이번 실행의 비용',
    toolRounds: '도구 사용 횟수',
    atOnce: '동시 요청 수',
  },
  used: '{{allowed}} 중 {{used}} 사용',
  unpriced_other: '가격을 알 수 없는 요청 {{count, number}}건 별도',
  resets: '{{when}} 다시 여유가 생깁니다',
  never: '저절로 여유가 생기지 않습니다',
  raise: '늘리기',
  raiseBy_other: '정해진 양의 {{count, number}}배만큼',
  raiseLabel: '얼마나',
  raiseHelp: '오늘 또는 이번 실행이 끝날 때까지 위 한도를 각각 늘립니다. 설정은 바뀌지 않습니다.',
  raiseForDay: '다시 시작해도 유지',
  raiseForDayHelp: '하루 한도는 오늘이 끝날 때까지 유지됩니다. 선택하지 않으면 데스크가 끝날 때 사라집니다.',
  wait: '기다리기',
  waitHelp: '여유가 생길 때까지 이 요청과 이후 요청을 거부합니다.',
  stop: '이번 실행 동안 멈추기',
  stopHelp: '이번 실행 동안 {{server}}의 요청을 더는 모델에 보내지 않습니다.',
}
