import type { Translated } from '../catalogue.ts'
import type { url as english } from '../en/url.ts'

export const url: Translated<typeof english> = {
  whatOpens: '将要打开的页面',
  ownLetters: '原本的写法',
  whole: '完整地址',
  open: '在浏览器中打开',
  openedAndTold: '在新标签页中打开，并告诉 {{server}} 您已同意。',
  copy: '复制地址',
  agree: '我自己打开',
  agreeHelp: '告诉 {{server}} 您已同意，此处不打开任何页面。',
  nothingSent: '只发送您已同意这一点。您在页面上的操作只与该页面有关。',
  warnings_other: '打开前请留意 {{count, number}} 点',
  wait: '在那里完成后请继续。{{server}} 也可能自行报告已完成。',
  continue: '已完成，继续',
  again: '再次打开',
}
