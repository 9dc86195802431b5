import type { Translated } from '../catalogue.ts'
import type { tryIt as english } from '../en/try-it.ts'

export const tryIt: Translated<typeof english> = {
  title: '试用',
  intro: '调用服务器的工具，看看过程中会询问什么。',
  server: '服务器',
  tools: '工具',
  noServer: '没有就绪的服务器。请在“服务器”页面启动。',
  noTools: '此服务器没有工具。',
  asJson: 'JSON 参数',
  badJson: '这不是 JSON 对象。',
  noArguments: '不需要参数。',
  call: '调用',
  callAnyway: '仍然调用',
  cancel: '取消调用',
  state: {
    running: '运行中',
    done: '完成',
    failed: '失败',
    cancelled: '已取消',
  },
  question: '过程中询问',
  open: '在待处理列表中回答',
  resultError: '工具报告了错误',
  structured: '结构化内容',
  calls: '调用记录',
  schema: '输入模式',
}
