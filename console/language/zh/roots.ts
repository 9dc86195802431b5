import type { Translated } from '../catalogue.ts'
import type { roots as english } from '../en/roots.ts'

export const roots: Translated<typeof english> = {
  title: '文件夹',
  intro: '每个服务器可以知道的文件夹（根目录）及其当前状态。',
  empty: '还没有服务器可以知道任何文件夹。',
  emptyText: '当服务器询问文件夹时，您可以在待处理列表中选择，也可以在此预先添加。',
  everyServer: '所有服务器',
  add: '添加文件夹',
  addFor: '用于哪个服务器',
  folder: '文件夹',
  name: '名称（选填）',
  pick: '选择…',
  confirmTitle: '请先阅读',
  confirm: '仍要告知',
  source: {
    config: '在配置中',
    run: '仅本次运行期间',
    grant: '已授权',
  },
  until: '直到 {{day}}',
  remove: '移除',
  revoke: '撤销授权',
  refused: '未添加文件夹：{{reason}}',
  guidance:
    '告知并不等于限制：除非在沙箱中运行，服务器也能读取其他文件夹。2026-07-28 版协议把根目录视为指引，并建议新服务器不再使用：它们应通过工具参数或自己的配置得到文件夹。仍然询问的服务器照常得到回答。',
  sees: '告知为 {{uri}}',
  seenBy: '{{server}} 看到的是 {{uri}}',
  notSeenBy: '不告知 {{server}}：它有自己的文件',
}
