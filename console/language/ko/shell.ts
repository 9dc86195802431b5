import type { Translated } from '../catalogue.ts'
import type { shell as english } from '../en/shell.ts'

export const shell: Translated<typeof english> = {
  alwaysAsk: '항상 나에게 묻기',
  alwaysAskHelp: '켜져 있는 동안에는 어떤 규칙이나 저장된 허용도 대신 답하지 않습니다. 모든 질문이 여기로 옵니다.',
  alwaysAskUnwritten: '그래도 데스크가 끝나거나 설정을 다시 읽을 때까지 적용됩니다.',
  badge: '({{count, number}}) {{title}}',
  connection: {
    live: '데스크에 연결됨',
    connecting: '연결하는 중…',
    lost: '데스크에 연결할 수 없습니다. 다시 시도하고 있으며, 대기 중인 질문은 그대로 남아 있습니다.',
    stopped: '데스크가 멈췄습니다. 터미널에서 "consentry up"(데모는 "consentry demo") 명령을 실행하면 다시 시작됩니다.',
    refused:
      '데스크가 이 페이지의 요청을 받지 않습니다. 터미널에서 "consentry up"(데모는 "consentry demo") 명령으로 콘솔을 다시 여세요. 대기 중인 질문은 그대로 남아 있습니다.',
    ended: '세션이 끝났습니다',
  },
  darkTheme: '어둡게',
  lightTheme: '밝게',
  systemTheme: '시스템 설정',
  theme: '화면 모드',
  language: '언어',
  menu: '메뉴',
  navigation: '화면 목록',
  skip: '본문으로 건너뛰기',
  notifications: {
    ask: '대기 중인 질문이 생기면 알림',
    help: '브라우저가 Consentry의 알림 표시를 허용할지 묻습니다.',
    blocked: '이 브라우저 설정에서 알림이 차단되어 있습니다.',
    on: '알림이 켜져 있습니다',
  },
  ended: {
    title: '세션이 끝났습니다',
    text: '안전을 위해 한동안 쓰지 않거나 데스크가 멈추면 브라우저 세션이 끝납니다. 터미널에서 {{command}} 명령을 실행하면 콘솔이 다시 열립니다. 대기 중인 질문은 사라지지 않습니다.',
  },
  faults: {
    config: { title: '설정을 읽을 수 없어 규칙을 멈췄습니다', text: '고칠 때까지 모든 것을 묻고, 새로 알려 주는 것은 없습니다.' },
    audit: {
      title: '감사 기록을 쓸 수 없어 아무것도 답하지 않습니다',
      text: '기록 없이 나가는 응답은 없습니다. 디스크 공간을 확보하거나 상태 폴더를 고치면 저절로 이어집니다.',
    },
  },
  help: {
    title: '키보드',
    open: '키보드 단축키',
    next: '다음 질문',
    previous: '이전 질문',
    first: '첫 입력란이나 버튼으로',
    send: '보내기 또는 승인',
    decline: '거절 또는 거부',
    cancel: '취소: 답하지 않고 닫기',
    list: '목록으로 돌아가기',
    tour: '둘러보기 안내로',
    help: '이 도움말',
    note: '글자 단축키는 입력란에 커서가 없을 때 작동합니다. 결정 버튼은 나타난 뒤 0.5초 동안 눌리지 않습니다.',
  },
  screens: {
    inbox: '대기 목록',
    servers: '서버',
    roots: '폴더',
    tryIt: '시험해 보기',
    timeline: '타임라인',
    usage: '사용량',
    audit: '감사 기록',
    settings: '설정',
  },
  notFound: { title: '없는 화면입니다', text: '오래된 주소일 수 있습니다. 대기 중인 질문은 모두 대기 목록에 있습니다.', link: '대기 목록으로 가기' },
}
