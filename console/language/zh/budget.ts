import type { Translated } from '../catalogue.ts'
import type { budget as english } from '../en/budget.ts'

export const budget: Translated<typeof english> = {
  intro: '剩余额度不足以处理此模型请求。没有向模型发送任何内容。',
  wanted: '此请求需要',
  tokens: '{{count, number}} 个 token',
  tokensAndCost: '{{count, number}} 个 token，最多 {{cost}}',
  limits: '已用完的额度',
  scope: { rule: '{{server}} 的规则', server: '{{server}} 的额度', total: '所有服务器合计' },
  names: {
    requestsPerMinute: '每分钟请求数',
    tokensPerDay: '每日 token 数',
    costPerDay: '每日费用',
    tokensPerRun: '本次运行的 token 数',
    costPerRun: '本次运行的费用',
    toolRounds: '工具使用轮数',
    atOnce: '同时请求数',
  },
  used: '{{allowed}} 中已用 {{used}}',
  unpriced_other: '另有 {{count, number}} 个价格未知的请求',
  resets: '{{when}}恢复',
  never: '不会自行恢复',
  raise: '提高',
  raiseBy_other: '按原额度的 {{count, number}} 倍',
  raiseLabel: '幅度',
  raiseHelp: '在当日或本次运行结束之前，为以上每项增加额度。配置保持不变。',
  raiseForDay: '重启后仍然有效',
  raiseForDayHelp: '每日限额会保留到当日结束；不勾选则在服务台结束时失效。',
  wait: '等待',
  waitHelp: '在额度恢复之前，此请求及之后的请求都会被拒绝。',
  stop: '本次运行期间停止',
  stopHelp: '本次运行期间不再为 {{server}} 向模型发送任何内容。',
}
