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
    run: '이번 실행 동안 허용',
    grant: '허용함',
  },
  until: '{{day}}까지',
  remove: '제거',
  revoke: '허용 취소',
  refused: '폴더를 추가하지 못했습니다: {{reason}}',
  guidance:
    '알려 준다고 그 폴더에만 머무르는 것은 아닙니다. 샌드박스에서 실행하지 않으면 서버는 다른 폴더도 읽을 수 있습니다. 2026-07-28 프로토콜은 루트를 안내로만 여기고 새 서버에는 권하지 않습니다. 새 서버는 도구의 인자나 설정으로 폴더를 받습니다. 묻는 서버에는 지금처럼 답합니다.',
  sees: '알려 주는 이름: {{uri}}',
  seenBy: '{{server}}에는 {{uri}}',
  notSeenBy: '{{server}}에는 알려 주지 않음: 이 서버는 자기 파일을 씁니다',
}
