import type { Translated } from '../catalogue.ts'
import type { tour as english } from '../en/tour.ts'

export const tour: Translated<typeof english> = {
  label: '导览',
  open: '显示导览',
  close: '关闭导览',
  words: '此步骤的说明',
  progress: '第 {{step, number}} 步，共 {{count, number}} 步',
  start: '开始导览',
  next: '下一步',
  back: '上一步',
  ask: '让 {{server}} 提问',
  again: '再问一次',
  answer: '前往该询问',
  look: '查看 {{server}}',
  openLog: '打开审计记录',
  finish: '结束导览',
  outcome: '{{server}} 的处理结果',
  states: {
    starting: '{{server}} 正在启动…',
    broken: '{{server}} 没有运行。其页面说明了原因。',
    waiting: '轮到您了：询问在待处理列表中。',
    working: '{{server}} 正在处理…',
    done: '{{server}} 已收到回答。',
    failed: '{{server}} 未能完成。',
  },
  steps: {
    welcome: {
      title: '已连接一家旅行社',
      text: '它的服务器 {{server}} 会依次向您请求文件夹、只有您知道的信息、模型的回答，以及访问一个网页。未经您同意，它得不到任何内容。无需账号和网络，只要两分钟。',
    },
    folders: {
      title: '文件夹（根目录）',
      text: '要列出行程，{{server}} 需要知道可以查看哪里。请选中 travel-planning，不要选 client-documents：未选中的文件夹不会告知。',
      again: '您的回答在本次运行期间有效。要再次被询问，请在 {{server}} 的页面上撤销已告知的文件夹，在那里重新启动它，然后再让它询问。',
    },
    form: {
      title: '表单（征询）',
      text: '在预订巴塞罗那之前，{{server}} 需要只有您知道的信息。字段下方显示的就是将要发送的内容。',
    },
    model: {
      title: '模型请求（采样）',
      text: '{{server}} 想听听模型对航班的意见。请阅读它的提示词；您在其中的修改只供模型阅读。这里还没有模型：请亲自撰写回答，或在设置中添加模型。',
    },
    page: {
      title: '网页（URL 征询）',
      text: '{{server}} 希望您在本机上它自己的页面登录。请核对地址，打开它，然后按下页面上的按钮。',
    },
    log: {
      title: '审计记录',
      text: '所有询问、决定和回答都会记录下来，并注明由谁决定；您输入的内容不会记录。服务器能请求的就是这些：用 {{command}} 来处理您自己的服务器。',
    },
  },
}
