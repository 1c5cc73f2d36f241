using System.Text.Json.Serialization;

namespace Larder.Server.Console.Api;

/// <summary>
/// The JSON serialization of the page's requests and responses, without reflection. Unknown members in requests are rejected. Only metadata is generated.
/// Generated serialization code must not be used, because it writes a null byte array as an empty string. The framework would switch to this code after ten
/// responses of a type.
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
