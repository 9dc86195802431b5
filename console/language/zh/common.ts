import type { Translated } from '../catalogue.ts'
import type { common as english } from '../en/common.ts'

export const common: Translated<typeof english> = {
  cancel: '取消',
  close: '关闭',
  copied: '已复制',
  day: {
    pick: '选择日期',
    previous: '上个月',
    next: '下个月',
    time: '时间（HH:MM）',
    year: '年份',
    take: '选用',
    wrong: '请按“年-月-日”填写日期，例如 2026-12-31。',
    wrongTime: '请按 09:30 的形式填写时间。',
  },
  decline: '拒绝',
  deny: '拒绝',
  dismiss: '移除',
  edit: '编辑',
  failed: '操作未成功：{{reason}}',
  loading: '正在加载…',
  moreCharacters_other: '再显示 {{count, number}} 个字符',
  no: '否',
  retry: '重试',
  says: '{{server}} 的消息',
  send: '发送',
  showLess: '收起',
  unexpected: '此页面出现问题。没有做出任何决定，也没有发送任何内容。',
  reload: '重新加载',
  yes: '是',
}
