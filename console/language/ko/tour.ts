import type { Translated } from '../catalogue.ts'
import type { tour as english } from '../en/tour.ts'

export const tour: Translated<typeof english> = {
  label: '둘러보기 안내',
  open: '둘러보기 열기',
  close: '둘러보기 닫기',
  words: '이 단계의 설명',
  progress: '{{count, number}}단계 중 {{step, number}}단계',
  start: '둘러보기 시작',
  next: '다음',
  back: '이전',
  ask: '{{server}}의 질문 받기',
  again: '다시 질문 받기',
  answer: '질문으로 가기',
  look: '{{server}} 살펴보기',
  openLog: '감사 기록 열기',
  finish: '둘러보기 마치기',
  outcome: '{{server}}의 처리 결과',
  states: {
    starting: '{{server}} 서버를 시작하는 중…',
    broken: '{{server}} 서버가 실행되고 있지 않습니다. 서버 화면에서 이유를 볼 수 있습니다.',
    waiting: '답할 차례입니다. 질문이 대기 목록에 있습니다.',
    working: '{{server}} 서버가 처리하는 중…',
    done: '{{server}} 서버가 답을 받았습니다.',
    failed: '{{server}} 서버가 끝내지 못했습니다.',
  },
  steps: {
    welcome: {
      title: '여행사 서버가 연결되어 있습니다',
      text: '{{server}} 서버는 폴더, 사용자만 아는 정보, 모델의 응답, 웹 페이지 방문을 차례로 요청합니다. 허용하기 전에는 아무것도 전달되지 않습니다. 계정도 네트워크도 필요 없으며 2분이면 됩니다.',
    },
    folders: {
      title: '폴더(루트)',
      text: '{{server}} 서버가 여행 목록을 만들려면 어느 폴더를 볼 수 있는지 알아야 합니다. travel-planning만 선택하고 client-documents는 그대로 두세요. 선택하지 않은 폴더는 알려 주지 않습니다.',
      again:
        '이 답은 이번 실행 동안 유지됩니다. 다시 질문을 받으려면 {{server}} 페이지에서 알려 준 폴더의 허용을 취소하고, 그곳에서 다시 시작한 다음 다시 요청하게 하세요.',
    },
    form: {
      title: '양식(엘리시테이션)',
      text: '바르셀로나 여행을 예약하기 전에 {{server}} 서버가 사용자만 아는 내용을 묻습니다. 입력란 아래에 전송될 내용이 그대로 표시됩니다.',
    },
    model: {
      title: '모델 요청(샘플링)',
      text: '{{server}} 서버가 항공편에 대한 모델의 의견을 원합니다. 프롬프트를 읽어 보세요. 프롬프트에서 바꾼 내용은 모델만 읽습니다. 아직 설정된 모델이 없으니 직접 응답을 쓰거나 설정에서 모델을 추가하세요.',
    },
    page: {
      title: '웹 페이지(URL 엘리시테이션)',
      text: '{{server}} 서버가 이 컴퓨터에 있는 자체 페이지에서 로그인하기를 원합니다. 주소를 확인하고 연 다음 그 페이지의 버튼을 누르세요.',
    },
    log: {
      title: '감사 기록',
      text: '질문, 결정, 응답이 누가 결정했는지와 함께 모두 기록되며, 입력한 내용은 기록되지 않습니다. 서버가 요청할 수 있는 것은 이것이 전부입니다. 평소 사용하는 서버에서도 {{command}} 명령으로 똑같이 할 수 있습니다.',
    },
  },
}
