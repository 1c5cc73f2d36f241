using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using System.Text.Unicode;
using Larder.Client;

namespace Larder.Agent;

/// <summary>The client's responses as answer lines.</summary>
internal static class AgentAnswer
{
    /// <summary>An answer without more fields.</summary>
    public static JsonObject Result(string result) => new() { ["result"] = result };

    /// <summary>The answer with one more field.</summary>
    public static JsonObject With(this JsonObject answer, string field, JsonNode value)
    {
        answer[field] = value;
        return answer;
    }

    /// <summary>The answer with a number of 64 bits: as text, so that no reader rounds it.</summary>
    public static JsonObject WithNumber<T>(this JsonObject answer, string field, T value)
        where T : IFormattable => answer.With(field, value.ToString(null, CultureInfo.InvariantCulture));

    /// <summary>The answer with bytes: always as base64, and as text where they are UTF-8.</summary>
    public static JsonObject WithBytes(this JsonObject answer, string field, ReadOnlySpan<byte> value)
    {
        answer[field + "Base64"] = Convert.ToBase64String(value);
        return Utf8.IsValid(value) ? answer.With(field, Encoding.UTF8.GetString(value)) : answer;
    }

    /// <summary>The answer of a failed call.</summary>
    public static JsonObject Failed(CacheError failure) =>
        AgentHost.Error(failure.Code.ToString(), failure.Message, failure.Cause ?? failure.Exception?.Message);

    /// <summary>Any response's failure; anything else is a response that the agent does not know.</summary>
    public static JsonObject FailedOr(object response) =>
        response is ICacheFailure failed ? Failed(failed.Failure) : throw new AgentException($"unknown response {response.GetType()}");

    /// <summary>The answer of a get, alone or in a batch.</summary>
    public static JsonObject Of(GetResponse response) => response switch
    {
        GetResponse.Hit hit => Result("hit").WithBytes("value", hit.Value.Span),
        GetResponse.Miss => Result("miss"),
        _ => FailedOr(response),
    };

    /// <summary>The answer of a set, alone or in a batch.</summary>
    public static JsonObject Of(SetResponse response) => response is SetResponse.Success ? Result("success") : FailedOr(response);
}
