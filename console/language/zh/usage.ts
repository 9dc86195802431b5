import type { Translated } from '../catalogue.ts'
import type { usage as english } from '../en/usage.ts'

export const usage: Translated<typeof english> = {
  title: '用量',
  intro: '每个服务器每天的询问和用量。',
  empty: '这些天没有任何询问。',
  days_other: '最近 {{count, number}} 天',
  period: '时段',
  questions: '询问',
  tokens: 'token',
  cost: '费用',
  day: '日期',
  server: '服务器',
  folders: '文件夹',
  forms: '询问',
  models: '模型请求',
  answered: '已回答',
  refused: '已拒绝',
  unanswered: '未回答',
  input: '输入 token',
  output: '输出 token',
  unpriced_other: '{{count, number}} 个回答价格未知',
  chart: '图表：每天每个服务器的{{what}}',
  show: '显示',
  total: '合计',
}
