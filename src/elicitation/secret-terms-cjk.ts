/**
 * The terms for what must not be asked in a form, in the languages that are not split by blanks: Korean, Chinese in both scripts, Japanese.
 * Texts are folded, lower case and without blanks before they are compared.
 */

interface TermList {
  /** Can be a number: PINs, one-time codes, card numbers and their check values. */
  readonly codes: string
  readonly texts: string
  /** Other words that a term is only the beginning, the end or the middle of. */
  readonly others: string
  /** After a term, perhaps behind a particle: the name, number, length, date or address of the secret, or what is done with it. */
  readonly otherHeads: string
  /** Before a term: what is done with it, or what kind of it is no secret. */
  readonly otherKinds: string
  /** Anywhere in the sentence: a warning, which asks for nothing. */
  readonly warnings: string
  /** Anywhere in a description: it speaks of what happens with a secret. */
  readonly tellings: string
}

const korean: TermList = {
  codes: `인증번호 인증코드 보안코드 확인코드 확인번호 검증코드 일회용비밀번호 일회용코드 일회용번호 일회용암호 otp번호 otp코드 pin번호 pin코드 핀번호 핀코드 복구코드 백업코드
    신용카드번호 체크카드번호 직불카드번호 카드번호 신용카드 카드인증번호 카드보안코드 cvc번호 cvc코드 cvv번호 보안카드번호 승인번호6자리 로그인코드 접속코드 출입코드 잠금해제코드 2단계인증코드 mfa코드`,
  texts: `비밀번호 비밀번호확인 패스워드 패스프레이즈 암호 암호문구 비번 암호구문 api키 에이피아이키 비밀키 시크릿키 액세스키 엑세스키 접근키 개인키 암호화키 복호화키 서명키 인증키 보안키 마스터키 와이파이키
    토큰 액세스토큰 엑세스토큰 접근토큰 인증토큰 갱신토큰 리프레시토큰 api토큰 봇토큰 자격증명 인증정보 로그인정보 접속정보 세션쿠키 인증쿠키 연결문자열 접속문자열 복구문구 복구구문 시드문구 시드구문 니모닉
    보안질문답변 보안질문의답 보안질문의답변 보안질문에대한답변 비밀질문답변 클라이언트시크릿 클라이언트비밀 웹훅시크릿 카드유효기간 카드만료일 카드유효기한 공유비밀 카드정보 카드비밀번호`,
  others: `암호화폐 암호화방식 암호화여부 암호화알고리즘 암호화 암호학 암호문 암호명 토큰화 토크나이저 토큰증권 키보드 키워드 비밀번호찾기 비밀댓글 시크릿모드 시크릿가든 회원카드번호 멤버십카드번호 학생카드번호 포인트카드번호
    도서관카드번호 교통카드번호 공개키 디자인토큰 페이지토큰 다음토큰 최대토큰 입력토큰 출력토큰 otp방식 인증정보제공자`,
  otherHeads: `길이 개수 갯수 수량 이름 명칭 힌트 관리 변경 만료 만료일 유효기간 날짜 일시 유형 종류 방식 방법 형식 정책 규칙 주소 url 링크 경로 아이디 id 재설정 초기화 찾기 분실 잊 발급 발송 한도 사용량 가격 심볼 기호 엔드포인트 수 제공자 상태 강도 보호
    저장 질문 알고리즘 목록 별칭 라벨 설명 소유자 브랜드 종류 자릿수 글자수 입력방식 정보 메일 이메일 알림 뒤4자리 뒤네자리 뒷4자리 뒷자리 마지막4자리 끝4자리`,
  otherKinds: `최대 최소 남은 공개 다음 이전 페이지 디자인`,
  warnings: `입력하지 적지 넣지 쓰지 공유하지 알려주지 제공하지 마세요 마십시오 말것 마시오 금지 필요없 필요하지않 불필요 아닌 아닙니다`,
  tellings: `보내드 보내드립 발송 전송됩 전송합 재설정 변경할때 사용됩 쓰입 저장됩`,
}

const chinese: TermList = {
  codes: `验证码 驗證碼 校验码 校驗碼 动态码 動態碼 动态密码 動態密碼 动态口令 一次性密码 一次性密碼 一次性验证码 一次性驗證碼 短信码 安全码 安全碼 確認碼 确认码 认证码 認證碼 登录码 登入碼 恢复代码 恢复码 備用碼 备用码 復原碼
    pin码 pin碼 个人识别码 個人識別碼 交易密码 交易密碼 支付密码 取款密码 提款密碼 银行卡号 銀行卡號 信用卡号 信用卡號 信用卡号码 信用卡號碼 卡号 卡號 卡片號碼 借记卡号 金融卡號 信用卡 卡验证码 卡片驗證碼 两步验证码 兩步驟驗證碼`,
  texts: `密码 密碼 口令 通行码 通行碼 通关密语 密钥 密鑰 金鑰 私钥 私鑰 密匙 秘钥 秘鑰 令牌 权杖 權杖 存取權杖 助记词 助記詞 恢复短语 恢復短語 种子短语 種子短語 助记短语 密保答案 安全问题答案 安全問題答案 安全问题的答案 安全問題的答案
    登录凭据 登录凭证 登入憑證 凭据 身份凭证 访问凭证 存取憑證 认证信息 会话cookie 會話cookie 连接字符串 連接字串 連線字串 客户端密钥 用戶端密碼 api密钥 api金鑰 api秘钥 银行卡有效期 信用卡有效期 信用卡有效期限 卡片有效期 卡片到期日 信用卡到期日
    登录信息 帐号密码 账号密码 帳號密碼`,
  others: `密码学 密碼學 密码子 密碼子 密码本 密码锁 密碼鎖 密码箱 密码管理 密碼管理 密码货币 密码朋克 公钥 公鑰 公開金鑰 公开密钥 公共密钥 公開密鑰 图形验证码 圖形驗證碼 图片验证码 图像验证码 会员卡号 會員卡號 学生卡号 校园卡号 社保卡号 公交卡号 就诊卡号 借书卡号
    最大令牌 令牌桶 令牌环 设计令牌 分页令牌 下一页令牌 邀请令牌 口令红包 口令紅包 密码子`,
  otherHeads: `长度 長度 名称 名稱 名字 数量 數量 个数 個數 数目 数 数量 类型 類型 种类 提示 管理 策略 强度 強度 重置 重設 重设 找回 修改时间 变更 更改时间 过期 過期 到期 有效期 有效 地址 网址 網址 链接 連結 url 路径 路徑 编号 編號 id 方式 算法 演算法 格式 上限 限额 用量 端点 端點 符号 符號
    价格 標準 标准 的 位数 位數 分发 發送 发送 保护 保護 问题 問題 所有者 持有人 品牌 文件 别名 標籤 标签 状态 狀態 后四位 後四碼 後四位 末四位 末四碼 后4位`,
  otherKinds: `重置 重設 重设 找回 忘记 忘記 发送 發送 接收 获取 取得 收取 公开 公開 最大 最小 生成 保存 存储 显示`,
  warnings: `不要 请勿 請勿 勿 切勿 不得 禁止 无需 無需 不需要 别输入 別輸入 不必`,
  tellings: `我们会 我們會 我们将 我們將 将发送 將發送 会发送 會發送 用于发送 用於發送 不会 不會 不是`,
}

const japanese: TermList = {
  codes: `暗証番号 ワンタイムパスワード ワンタイムコード ワンタイムパスコード 認証コード 認証番号 確認コード 確認番号 検証コード セキュリティコード セキュリティーコード パスコード pinコード pin番号 otp バックアップコード リカバリーコード 復旧コード 回復コード
    クレジットカード番号 クレジットカード デビットカード番号 カード番号 カードの番号 カード確認番号 ログインコード アクセスコード smsコード 二段階認証コード 2段階認証コード`,
  texts: `パスワード パスフレーズ 合言葉 apiキー apiの鍵 アクセスキー シークレットキー 秘密鍵 秘密キー プライベートキー 共有鍵 共通鍵 暗号鍵 暗号化キー 暗号化鍵 復号鍵 復号キー 署名鍵 署名キー マスターキー セキュリティキー トークン アクセストークン リフレッシュトークン
    認証トークン apiトークン botトークン ボットトークン 資格情報 認証情報 ログイン情報 セッションクッキー セッションcookie 接続文字列 クライアントシークレット 秘密の質問の答え 秘密の質問の回答 秘密の質問への回答 セキュリティの質問の答え リカバリーフレーズ 復元フレーズ シードフレーズ ニーモニック
    カードの有効期限 カード有効期限 クレジットカードの有効期限 クレジットカード有効期限 カード情報`,
  others: `パスポート トークン化 トークナイザ トークン数 暗号通貨 暗号資産 公開鍵 公開キー キーボード キーワード 秘書 シークレットモード シークレットガーデン 会員カード番号 ポイントカード番号 診察カード番号 図書カード番号 学生カード番号 メンバーズカード番号 デザイントークン ページトークン 次のトークン
    最大トークン 入力トークン 出力トークン`,
  otherHeads: `の長さ 長さ の名前 名前 名 の数 数 の種類 種類 のヒント ヒント の有効期限 有効期限 期限 の変更 変更日 更新日 作成日 上限 マネージャ 管理 ポリシー リセット 再設定 をリセット を再設定 の再設定 を忘れ url のurl エンドポイント 種別 タイプ 形式 生成 アドレス の桁数 桁数 強度 の強度 の質問 質問 id のid ファイル パス のパス
    送信先 の送信 使用量 価格 シンボル 名義 の名義 ブランド のブランド 保護 で保護 方式 の方式 方法 名 の下4桁 下4桁`,
  otherKinds: `最大 最小 公開 次の 前の`,
  warnings: `ないで しない 禁止 不要 必要ありません 必要はありません ではありません`,
  tellings: `お送り 送信します 送信いたします 再設定 リセット`,
}

/** `code`: a secret that can be a number. */
export type CjkKind = 'code' | 'text'

interface CompiledTerms {
  readonly term: RegExp
  readonly kindOf: ReadonlyMap<string, CjkKind>
  readonly otherHead: RegExp
  readonly otherKind: RegExp
  readonly warning: RegExp
  readonly telling: RegExp
}

const languages: readonly CompiledTerms[] = [compile(korean, '(?:를|을|의|이|가|는|은)?'), compile(chinese, ''), compile(japanese, '')]

/** What kind of secret a folded text asks for. `isTelling`: the text is a description, which may also speak of something else. */
export function findCjkTerm(folded: string, isTelling: boolean): CjkKind | undefined {
  if (!/[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(folded)) return undefined
  const sentences = folded.toLowerCase().split(/[.。!！?？;；\n]+/u)
  const kinds = sentences.flatMap((sentence) => languages.flatMap((language) => findIn(sentence, language, isTelling)))
  return kinds.includes('code') ? 'code' : kinds[0]
}

/** When the card is known to the form, this is part of it. */
export function isCjkExpiry(folded: string): boolean {
  return /^(?:유효\s?기간|유효\s?기한|만료일|有效期限?|到期日|有効期限)(?![\p{L}\p{N}])/u.test(folded.trim())
}

function findIn(sentence: string, { term, kindOf, otherHead, otherKind, warning, telling }: CompiledTerms, isTelling: boolean): readonly CjkKind[] {
  if (isTelling && telling.test(withoutBlanks(sentence))) return []
  return sentence.split(breaks).flatMap((part) => {
    const text = withoutBlanks(part)
    if (!/\P{ASCII}/u.test(text) || warning.test(text)) return []
    return [...text.matchAll(term)].flatMap(({ 0: found, index }) => {
      const isMentioned = otherHead.test(text.slice(index + found.length)) || otherKind.test(text.slice(0, index))
      return isMentioned ? [] : (kindOf.get(found) ?? [])
    })
  })
}

const breaks = /[,、，:：()（）[\]【】「」『』<>《》〈〉{}/|·・"'“”‘’]+/u

function withoutBlanks(text: string): string {
  return text.replaceAll(/[\s_-]+/gu, '')
}

function compile({ codes, texts, others, otherHeads, otherKinds, warnings, tellings }: TermList, particle: string): CompiledTerms {
  const kindOf = new Map<string, CjkKind>([...split(texts).map((word) => [word, 'text'] as const), ...split(codes).map((word) => [word, 'code'] as const)])
  // Longest first, the innocent words among them: what begins like a term and is another word is passed over as a whole.
  const all = [...kindOf.keys(), ...split(others)].toSorted((one, other) => other.length - one.length)
  return {
    term: new RegExp(all.join('|'), 'gu'),
    kindOf,
    otherHead: new RegExp(`^${particle}(?:${split(otherHeads).join('|')})`, 'u'),
    otherKind: new RegExp(`(?:${split(otherKinds).join('|')})$`, 'u'),
    warning: new RegExp(split(warnings).join('|'), 'u'),
    telling: new RegExp(split(tellings).join('|'), 'u'),
  }
}

function split(text: string): readonly string[] {
  return text.split(/\s+/u).filter(Boolean)
}
