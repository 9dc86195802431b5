import type { Translated } from '../catalogue.ts'
import type { usage as english } from '../en/usage.ts'

export const usage: Translated<typeof english> = {
  title: '사용량',
  intro: '서버가 묻고 쓴 것을 날짜별로 보여 줍니다.',
  empty: '이 기간에는 질문이 없었습니다.',
  days_other: '최근 {{count, number}}일',
  period: '기간',
  questions: '질문',
  tokens: '토큰',
  cost: '비용',
  day: '날짜',
  server: '서버',
  folders: '폴더',
  forms: '질문',
  models: '모델 요청',
  answered: '응답',
  refused: '거절',
  unanswered: '무응답',
  input: '입력 토큰',
  output: '출력 토큰',
  unpriced_other: '가격을 알 수 없는 응답 {{count, number}}건',
  chart: '그래프: 날짜별, 서버별 {{what}}',
  show: '보기',
  total: '합계',
}
