import type { Translated } from '../catalogue.ts'
import type { url as english } from '../en/url.ts'

export const url: Translated<typeof english> = {
  whatOpens: '열릴 페이지',
  ownLetters: '원래 글자로',
  whole: '전체 주소',
  open: '브라우저에서 열기',
  openedAndTold: '새 탭에서 페이지를 열고, 동의했다고 {{server}}에 알립니다.',
  copy: '주소 복사',
  agree: '직접 열겠습니다',
  agreeHelp: '동의했다고 {{server}}에 알리고, 여기서는 아무것도 열지 않습니다.',
  nothingSent: '동의했다는 사실만 전송됩니다. 페이지에서 한 일은 그 페이지와만 주고받습니다.',
  warnings_other: '열기 전에 확인할 점 {{count, number}}가지',
  wait: '그곳에서 마치면 계속하세요. 끝났다고 {{server}}에서 먼저 알려 올 수도 있습니다.',
  continue: '마쳤습니다, 계속하기',
  again: '다시 열기',
}
