"""Libraries through which models are asked: what makes a client, where it goes by itself, and what sends it elsewhere.

By their import names. A model named with its provider (`openai/gpt-4o`) goes to that provider. Not covered: libraries
that are not listed; their addresses are found as any other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

OPENAI, ANTHROPIC, GOOGLE = "api.openai.com", "api.anthropic.com", "generativelanguage.googleapis.com"
HUGGINGFACE = "router.huggingface.co"
_URLS = ("base_url", "api_base", "openai_api_base", "server_url", "endpoint", "azure_endpoint", "host", "api_url",
         "baseURL", "url", "endpoint_url", "anthropic_api_url", "inference_server_url", "api_endpoint",
         "endpoint_name")  # fmt: skip
_OPENAI_ENV = ("OPENAI_BASE_URL", "OPENAI_API_BASE")
_ANTHROPIC_ENV = ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_BASE")


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """One way of asking a model from Python."""

    names: str
    """Pattern of the dotted name of what makes the client, or asks at once."""
    host: str = ""
    """Where it goes by itself; empty where the model's name says so."""
    variables: tuple[str, ...] = ()
    """Environment variables that send it elsewhere."""
    urls: tuple[str, ...] = _URLS
    at: int | None = None
    """Place of an address among the arguments that have no name."""
    model_at: int = 0
    """Place of the model's name among them."""
    is_local: bool = False
    """Without an address it stays on this machine."""
    asks_at_once: bool = False
    pattern: re.Pattern[str] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pattern", re.compile(rf"(?:{self.names})$"))


CLIENTS: tuple[Client, ...] = (
    Client(names=r"openai(?:\.\w+)*\.(?:Async)?AzureOpenAI", host="openai.azure.com",
           variables=("AZURE_OPENAI_ENDPOINT", "OPENAI_API_BASE")),
    Client(names=r"(?:openai|langfuse\.openai|langsmith\.\w+)(?:\._?\w+)*\.(?:Async)?(?:OpenAI|Client)", host=OPENAI,
           variables=_OPENAI_ENV),
    Client(names=r"openai\.(?:ChatCompletion|Completion|Embedding)\.a?create|openai\.(?:chat\.completions|completions|"
                 r"responses|embeddings|batches|files|fine_tuning\.jobs)\.\w+", host=OPENAI, variables=_OPENAI_ENV,
           asks_at_once=True),
    Client(names=r"anthropic(?:\._?\w+)*\.(?:Async)?(?:Anthropic|Client)", host=ANTHROPIC, variables=_ANTHROPIC_ENV),
    Client(names=r"anthropic(?:\._?\w+)*\.(?:Async)?AnthropicBedrock", host="bedrock-runtime.us-east-1.amazonaws.com"),
    Client(names=r"anthropic(?:\._?\w+)*\.(?:Async)?AnthropicVertex", host="us-east5-aiplatform.googleapis.com"),
    Client(names=r"claude_(?:code|agent)_sdk\.(?:query|ClaudeSDKClient)", host=ANTHROPIC, variables=_ANTHROPIC_ENV,
           asks_at_once=True),
    Client(names=r"google\.generativeai(?:\.\w+)*\.(?:GenerativeModel|generate_text|embed_content|ChatSession)",
           host=GOOGLE),
    Client(names=r"google\.genai(?:\.\w+)*\.Client", host=GOOGLE),
    Client(names=r"vertexai(?:\.\w+)*\.(?:GenerativeModel|TextGenerationModel|ChatModel)\w*(?:\.from_pretrained)?|"
                 r"google\.cloud\.aiplatform(?:\.\w+)*\.(?:Endpoint|PredictionServiceClient)",
           host="us-central1-aiplatform.googleapis.com"),
    Client(names=r"cohere(?:\.\w+)*\.(?:Async)?Client(?:V2)?", host="api.cohere.com", variables=("CO_API_URL",)),
    Client(names=r"mistralai(?:\.\w+)*\.Mistral(?:Async)?(?:Client)?", host="api.mistral.ai"),
    Client(names=r"together(?:\.\w+)*\.(?:Async)?(?:Together|Complete\.create)", host="api.together.xyz",
           variables=("TOGETHER_BASE_URL",)),
    Client(names=r"groq(?:\.\w+)*\.(?:Async)?Groq", host="api.groq.com", variables=("GROQ_BASE_URL",)),
    Client(names=r"replicate\.(?:run|stream|async_run)", host="api.replicate.com", asks_at_once=True),
    Client(names=r"replicate(?:\.\w+)*\.Client", host="api.replicate.com"),
    Client(names=r"fireworks(?:\.\w+)*\.(?:Async)?(?:Fireworks|LLM)", host="api.fireworks.ai"),
    Client(names=r"xai_sdk(?:\.\w+)*\.(?:Async)?Client", host="api.x.ai"),
    Client(names=r"cerebras(?:\.\w+)*\.(?:Async)?Cerebras", host="api.cerebras.ai"),
    Client(names=r"sambanova(?:\.\w+)*\.SambaNova", host="api.sambanova.ai"),
    Client(names=r"ai21(?:\.\w+)*\.AI21Client", host="api.ai21.com"),
    Client(names=r"zhipuai(?:\.\w+)*\.ZhipuAI|zai(?:\.\w+)*\.\w*Client", host="open.bigmodel.cn"),
    Client(names=r"dashscope\.(?:Generation|MultiModalConversation)\.\w+", host="dashscope.aliyuncs.com",
           asks_at_once=True),
    Client(names=r"voyageai(?:\.\w+)*\.(?:Async)?Client", host="api.voyageai.com"),
    Client(names=r"portkey_ai(?:\.\w+)*\.(?:Async)?Portkey", host="api.portkey.ai"),
    Client(names=r"openrouter(?:\.\w+)*\.OpenRouter", host="openrouter.ai"),
    Client(names=r"huggingface_hub(?:\.\w+)*\.(?:Async)?Inference(?:Client|Api)", host=HUGGINGFACE, at=0,
           urls=(*_URLS, "model")),
    Client(names=r"azure\.ai\.inference(?:\.\w+)*\.(?:ChatCompletions|Embeddings)Client",
           host="models.inference.ai.azure.com"),
    Client(names=r"ollama(?:\.\w+)*\.(?:Async)?Client", at=0, is_local=True, variables=("OLLAMA_HOST",)),
    Client(names=r"ollama\.(?:chat|generate|embed|embeddings)", is_local=True, variables=("OLLAMA_HOST",),
           asks_at_once=True),
    Client(names=r"gradio_client(?:\.\w+)*\.Client", host="hf.space", at=0),
    Client(names=r"g4f(?:\.\w+)*\.(?:Async)?(?:Client|ChatCompletion\.create)", host="chatgpt.com"),
    Client(names=r"litellm\.(?:a?completion|batch_completion\w*|a?embedding|a?responses|a?text_completion|"
                 r"completion_with_retries)", variables=_OPENAI_ENV, asks_at_once=True),
    Client(names=r"litellm\.Router", host=OPENAI, urls=_URLS),
    Client(names=r"dspy(?:\.\w+)*\.(?:LM|OpenAI|AzureOpenAI|Claude|Google|Together|Cohere)", variables=_OPENAI_ENV),
    Client(names=r"instructor\.from_provider", variables=_OPENAI_ENV),
    Client(names=r"pydantic_ai(?:\.\w+)*\.(?:Agent|OpenAI(?:Chat|Responses)?Model|AnthropicModel|GoogleModel|GroqModel)",
           variables=_OPENAI_ENV),
    Client(names=r"aisuite\.Client", host=OPENAI),
    Client(names=r"(?:bespokelabs\.)?curator(?:\.\w+)*\.(?:LLM|Prompter)", variables=_OPENAI_ENV),
    Client(names=r"distilabel(?:\.\w+)*\.(?:OpenAILLM|AsyncOpenAILLM)", host=OPENAI, variables=_OPENAI_ENV),
    Client(names=r"distilabel(?:\.\w+)*\.(?:AnthropicLLM)", host=ANTHROPIC),
    Client(names=r"distilabel(?:\.\w+)*\.InferenceEndpointsLLM", host=HUGGINGFACE),
    Client(names=r"distilabel(?:\.\w+)*\.(?:Together|Groq|Mistral|Cohere|VertexAI|LiteLLM|Azure\w+)LLM", host=OPENAI),
    Client(names=r"smolagents(?:\.\w+)*\.(?:InferenceClient|HfApi)Model", host=HUGGINGFACE),
    Client(names=r"smolagents(?:\.\w+)*\.(?:OpenAI(?:Server)?Model)", host=OPENAI, variables=_OPENAI_ENV),
    Client(names=r"smolagents(?:\.\w+)*\.LiteLLMModel"),
    Client(names=r"(?:langchain\w*|llama_index)(?:\.\w+)*\.(?:Azure(?:Chat)?OpenAI\w*)", host="openai.azure.com",
           variables=("AZURE_OPENAI_ENDPOINT",)),
    Client(names=r"(?:langchain\w*|llama_index)(?:\.\w+)*\.(?:Chat)?OpenAI(?:Embeddings?)?", host=OPENAI,
           variables=_OPENAI_ENV),
    Client(names=r"(?:langchain\w*|llama_index)(?:\.\w+)*\.(?:Chat)?Anthropic", host=ANTHROPIC,
           variables=_ANTHROPIC_ENV),
    Client(names=r"(?:langchain\w*|llama_index)(?:\.\w+)*\.(?:ChatGoogleGenerativeAI|Gemini|GoogleGenAI)", host=GOOGLE),
    Client(names=r"(?:langchain\w*|llama_index)(?:\.\w+)*\.(?:ChatGroq|Groq)", host="api.groq.com"),
    Client(names=r"(?:langchain\w*|llama_index)(?:\.\w+)*\.(?:ChatMistralAI|MistralAI)", host="api.mistral.ai"),
    Client(names=r"(?:langchain\w*|llama_index)(?:\.\w+)*\.(?:ChatBedrock\w*|Bedrock\w*)",
           host="bedrock-runtime.us-east-1.amazonaws.com"),
    Client(names=r"(?:langchain\w*|llama_index)(?:\.\w+)*\.(?:ChatTogether|Together\w*)", host="api.together.xyz"),
    Client(names=r"(?:langchain\w*|llama_index)(?:\.\w+)*\.(?:ChatDeepSeek|DeepSeek)", host="api.deepseek.com"),
    Client(names=r"langchain(?:\.\w+)*\.init_chat_model", variables=_OPENAI_ENV),
    Client(names=r"(?:langchain\w*)(?:\.\w+)*\.HuggingFaceEndpoint", host=HUGGINGFACE),
    Client(names=r"guidance\.models\.(?:OpenAI|AzureOpenAI)|outlines\.models\.openai", host=OPENAI),
    Client(names=r"duckduckgo_search(?:\.\w+)*\.DDGS\(\)\.chat", host="duckduckgo.com", asks_at_once=True),
)  # fmt: skip
_PROVIDERS: dict[str, str] = {
    "openai": OPENAI, "text-completion-openai": OPENAI, "anthropic": ANTHROPIC, "claude": ANTHROPIC,
    "gemini": GOOGLE, "google": GOOGLE, "google-gla": GOOGLE, "vertex_ai": "us-central1-aiplatform.googleapis.com",
    "google-vertex": "us-central1-aiplatform.googleapis.com", "azure": "openai.azure.com",
    "azure_ai": "services.ai.azure.com", "bedrock": "bedrock-runtime.us-east-1.amazonaws.com", "groq": "api.groq.com",
    "together": "api.together.xyz", "together_ai": "api.together.xyz", "openrouter": "openrouter.ai",
    "mistral": "api.mistral.ai", "codestral": "codestral.mistral.ai", "cohere": "api.cohere.com",
    "cohere_chat": "api.cohere.com", "deepseek": "api.deepseek.com", "xai": "api.x.ai", "grok": "api.x.ai",
    "fireworks_ai": "api.fireworks.ai", "fireworks": "api.fireworks.ai", "replicate": "api.replicate.com",
    "huggingface": HUGGINGFACE, "hf-inference-providers": HUGGINGFACE, "perplexity": "api.perplexity.ai",
    "nvidia_nim": "integrate.api.nvidia.com", "cerebras": "api.cerebras.ai", "sambanova": "api.sambanova.ai",
    "deepinfra": "api.deepinfra.com", "github": "models.github.ai", "github_copilot": "api.githubcopilot.com",
    "moonshot": "api.moonshot.ai", "dashscope": "dashscope.aliyuncs.com", "novita": "api.novita.ai",
    "hyperbolic": "api.hyperbolic.xyz", "openai-api": OPENAI, "openai-chat": OPENAI, "openai-responses": OPENAI,
}  # fmt: skip
"""Provider in a model's name -> host."""
_LOCAL = frozenset(("ollama", "ollama_chat", "hosted_vllm", "vllm", "lm_studio", "llamafile", "local", "hf",
                    "xinference", "sglang", "llama_cpp", "llamacpp", "transformers", "mockllm", "test"))  # fmt: skip
"""Providers that stay on this machine unless an address is given."""
_MODELS = (
    (re.compile(r"^(?:gpt-(?!oss|2|neo|j)|chatgpt|o[134](?:-|$)|text-embedding-3|text-davinci|davinci)", re.I), OPENAI),
    (re.compile(r"^claude-", re.I), ANTHROPIC),
    (re.compile(r"^gemini-", re.I), GOOGLE),
    (re.compile(r"^command-(?:r|a)", re.I), "api.cohere.com"),
    (re.compile(r"^(?:mistral|open-mi[sx]tral|codestral)-(?:large|medium|small|tiny|latest)", re.I), "api.mistral.ai"),
    (re.compile(r"^deepseek-(?:chat|reasoner)$", re.I), "api.deepseek.com"),
    (re.compile(r"^grok-", re.I), "api.x.ai"),
)  # fmt: skip
"""Names of models that only one house serves."""
PACKAGES: dict[str, str] = {
    "openai": OPENAI, "anthropic": ANTHROPIC, "google.generativeai": GOOGLE, "google.genai": GOOGLE,
    "vertexai": "us-central1-aiplatform.googleapis.com", "cohere": "api.cohere.com", "mistralai": "api.mistral.ai",
    "together": "api.together.xyz", "groq": "api.groq.com", "replicate": "api.replicate.com",
    "fireworks": "api.fireworks.ai", "xai_sdk": "api.x.ai", "cerebras": "api.cerebras.ai", "litellm": "",
    "g4f": "", "aisuite": "", "openrouter": "openrouter.ai", "langchain_openai": OPENAI,
    "langchain_anthropic": ANTHROPIC, "dspy": "",
}  # fmt: skip
"""Import names of libraries that ask models -> host."""


def client_of(name: str) -> Client | None:
    """Return how a call by this dotted name asks a model; None where it does not.

    >>> client_of("openai.OpenAI").host, client_of("mylab.OpenAI"), client_of("ollama.chat").is_local
    ('api.openai.com', None, True)
    """
    if "." not in name or name.endswith("()"):
        return None
    return next((one for one in CLIENTS if one.pattern.match(name)), None)


def host_of_model(model: str) -> str | None:
    """Return where a model goes by its name; empty for this machine, None where the name does not say.

    >>> host_of_model("openai/gpt-4o"), host_of_model("claude-3-opus"), host_of_model("ollama/llama3")
    ('api.openai.com', 'api.anthropic.com', '')
    >>> host_of_model("Qwen/Qwen3-8B"), host_of_model("openai/gpt-oss-20b")
    (None, None)
    """
    provider, sign, rest = model.partition("/") if "/" in model else model.partition(":")
    if sign and provider in _LOCAL:
        return "ollama.com" if re.search(r"[:-]cloud$", rest) else ""
    if sign and provider in _PROVIDERS and not rest.startswith("gpt-oss"):
        return _PROVIDERS[provider]
    return next((host for pattern, host in _MODELS if pattern.match(model)), None)
