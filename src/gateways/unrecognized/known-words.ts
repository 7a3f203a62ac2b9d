/** The words that are kept of a page or a message, in English and Portuguese. None of them names a person or a thing. */
const WORDS = `
  a about access account acesso acquirer action after again agora algo allowed already amount an and antes any api aplicação
  application are as at ataque atendimento autenticação authentication authorization authorized autorizado aviso backend bad
  balancer be before blocked bloqueado body browser but by cache campo can cannot card cartão cdn challenge charge check
  client cloudflare code código com conexão conflict connect connection content could currently dados declined default denied
  dependency desculpe did different do does down due duplicate durante empty encontrado encontramos endpoint entity erro erros
  error errors esta está este exceeded exception expected expired failed failure falha fault field firewall for forbidden
  format formato found from gateway gone had has have health host http https if in inativo inativa indisponível indisponivel
  inesperado input insufficient interna internal interno interrupted inválida inválido invalid is isso it json later length
  limit limite load lock longer maintenance malformed manutenção many maximum may media merchant message metadata method
  minutos missing modified moment momento mais more must método multiple não network nginx no not null number of offline on ok
  operation or origin out pagamento página page para parameter parâmetro parse payload payment pending permanently permission
  permitido please policy por port possible possível precondition processado processamento process processing proxy queue
  range rate reached read recurso redirect refund refused rejected request requests requisição required reset resource
  response resposta response retry route schema security see seems sem server serviço service session should signature
  sistema solicitação something sorry ssl state status still support suspended system taking teapot temporarily
  temporariamente temporary tente the there this throttled time timed timeout tls to token too transação transaction try type
  unable unauthorized unavailable under unexpected unknown unprocessable unsupported upstream url usuário uma um user
  validação validation value version via waf wait was we web went were while with without wrong you your
`;

export const KNOWN_WORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));
