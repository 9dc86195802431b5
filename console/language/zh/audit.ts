import type { Translated } from '../catalogue.ts'
import type { audit as english } from '../en/audit.ts'

export const audit: Translated<typeof english> = {
  title: '审计记录',
  intro: '所有询问、决定和回答，最新的在前。其中不含任何人输入的值。',
  empty: '还没有任何询问。一旦服务器提出询问，就会记录在这里。',
  none: '没有符合筛选条件的记录。',
  filters: '筛选',
  server: '服务器',
  request: '内容',
  event: '事件',
  by: '决定者',
  from: '起始日',
  to: '截止日',
  search: '搜索',
  all: '全部',
  time: '时间',
  outcome: '结果',
  details: '详情',
  more: '显示更早的记录',
  verify: '验证记录',
  verified_other: '完整且未被更改：共 {{count, number}} 条记录。',
  broken: {
    altered: '第 {{position, number}} 条记录被更改。',
    missing: '第 {{position, number}} 条记录缺失。',
  },
  export: '导出',
  events: {
    asked: '询问',
    'review-opened': '已展示给人',
    decided: '已决定',
    answered: '已回答',
    withdrawn: '已撤回',
  },
  requests: {
    roots: '文件夹',
    elicitation: '询问',
    sampling: '模型请求',
  },
  deciders: {
    person: '人',
    rule: '规则',
    script: '脚本',
    none: '无人',
  },
}
