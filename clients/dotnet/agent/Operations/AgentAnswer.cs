using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using System.Text.Unicode;
using Larder.Client;

namespace Larder.Agent;

/// <summary>Formats the client's responses as response lines.</summary>
internal static class AgentAnswer
{
    /// <summary>Creates a response that contains only the field <c>result</c>.</summary>
    public static JsonObject Result(string result) => new() { ["result"] = result };

    /// <summary>Adds a field to the response.</summary>
    public static JsonObject With(this JsonObject answer, string field, JsonNode value)
    {
        answer[field] = value;
        return answer;
    }

    /// <summary>Adds a 64-bit number to the response, as text, so that a JSON parser cannot round it.</summary>
    public static JsonObject WithNumber<T>(this JsonObject answer, string field, T value)
        where T : IFormattable => answer.With(field, value.ToString(null, CultureInfo.InvariantCulture));

    /// <summary>Adds bytes to the response: always as base64, and also as text if they are valid UTF-8.</summary>
    public static JsonObject WithBytes(this JsonObject answer, string field, ReadOnlySpan<byte> value)
    {
        answer[field + "Base64"] = Convert.ToBase64String(value);
        return Utf8.IsValid(value) ? answer.With(field, Encoding.UTF8.GetString(value)) : answer;
    }

    /// <summary>Creates the response of a failed call.</summary>
    public static JsonObject Failed(CacheError failure) =>
        AgentHost.Error(failure.Code.ToString(), failure.Message, failure.Cause ?? failure.Exception?.Message);

    /// <summary>Creates the response of a failed call. Throws if the call did not fail, because the agent cannot handle the result.</summary>
    public static JsonObject FailedOr(ICacheResult response) =>
        response.Error is { } error ? Failed(error) : throw new AgentException($"unknown response {response}");

    /// <summary>Creates the response of a get, or of one item of a batch get.</summary>
    public static JsonObject Of(LookupResult<CacheValue> response) => response switch
    {
        { IsHit: true } hit => Result("hit").WithBytes("value", hit.Value.Span),
        { IsMiss: true } => Result("miss"),
        _ => FailedOr(response),
    };

    /// <summary>Creates the response of a set, or of one item of a batch set.</summary>
    public static JsonObject Of(CacheResult response) => response.IsSuccess ? Result("success") : FailedOr(response);
}
