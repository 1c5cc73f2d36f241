using System.Text.Json.Serialization;

namespace Larder.Server.Console.Api;

/// <summary>
/// The shapes of the page's requests and answers, without reflection. What is not known in a request is refused. Answers are written by their metadata: the
/// writers that are generated, which the framework goes over to after ten answers of a shape, write bytes that are null as an empty text.
/// </summary>
[JsonSourceGenerationOptions(
    GenerationMode = JsonSourceGenerationMode.Metadata,
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    AllowDuplicateProperties = false)]
[JsonSerializable(typeof(SessionAnswer))]
[JsonSerializable(typeof(OverviewAnswer))]
[JsonSerializable(typeof(CachesAnswer))]
[JsonSerializable(typeof(MonitorAnswer))]
[JsonSerializable(typeof(AuditAnswer))]
[JsonSerializable(typeof(TokensAnswer))]
[JsonSerializable(typeof(TopicsAnswer))]
[JsonSerializable(typeof(DoneAnswer))]
[JsonSerializable(typeof(ErrorAnswer))]
[JsonSerializable(typeof(KeysAnswer))]
[JsonSerializable(typeof(ItemAnswer))]
[JsonSerializable(typeof(ElementsAnswer))]
[JsonSerializable(typeof(CacheRequest))]
[JsonSerializable(typeof(KeysRequest))]
[JsonSerializable(typeof(ItemRequest))]
[JsonSerializable(typeof(ElementsRequest))]
internal sealed partial class ApiJson : JsonSerializerContext;
