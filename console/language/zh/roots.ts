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
    grant: '已授权',
  },
  until: '直到 {{day}}',
  remove: '移除',
  revoke: '撤销授权',
  refused: '未添加文件夹：{{reason}}',
}
