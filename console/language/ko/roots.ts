import type { Translated } from '../catalogue.ts'
import type { roots as english } from '../en/roots.ts'

export const roots: Translated<typeof english> = {
  title: '폴더',
  intro: '서버마다 알려 줄 수 있는 폴더(루트)와 지금 상태입니다.',
  empty: '아직 폴더를 아는 서버가 없습니다.',
  emptyText: '서버가 폴더를 물으면 대기 목록에서 고릅니다. 여기서 미리 추가할 수도 있습니다.',
  everyServer: '모든 서버',
  add: '폴더 추가',
  addFor: '어느 서버에',
  folder: '폴더',
  name: '이름(선택)',
  pick: '고르기…',
  confirmTitle: '먼저 읽어 주세요',
  confirm: '그래도 알려 주기',
  source: {
    config: '설정에 있음',
    grant: '허용함',
  },
  until: '{{day}}까지',
  remove: '제거',
  revoke: '허용 취소',
  refused: '폴더를 추가하지 못했습니다: {{reason}}',
}
