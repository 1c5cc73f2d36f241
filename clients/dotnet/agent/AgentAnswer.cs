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

    /// <summary>An answer that carries bytes: always as base64, and as text where they are UTF-8.</summary>
    public static JsonObject Value(string result, ReadOnlySpan<byte> value)
    {
        var answer = new JsonObject { ["result"] = result, ["valueBase64"] = Convert.ToBase64String(value) };
        if (Utf8.IsValid(value))
        {
            answer["value"] = Encoding.UTF8.GetString(value);
        }

        return answer;
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
        GetResponse.Hit hit => Value("hit", hit.Value.Span),
        GetResponse.Miss => Result("miss"),
        _ => FailedOr(response),
    };

    /// <summary>The answer of a set, alone or in a batch.</summary>
    public static JsonObject Of(SetResponse response) => response is SetResponse.Success ? Result("success") : FailedOr(response);

    /// <summary>The answer of a conditional set.</summary>
    public static JsonObject Of(SetIfResponse response) => response switch
    {
        SetIfResponse.Stored => Result("stored"),
        SetIfResponse.NotStored => Result("notStored"),
        _ => FailedOr(response),
    };

    /// <summary>The answer of a set conditional on a hash.</summary>
    public static JsonObject Of(SetIfHashResponse response) => response switch
    {
        SetIfHashResponse.Stored stored => new() { ["result"] = "stored", ["hashBase64"] = Convert.ToBase64String(stored.Hash.Span) },
        SetIfHashResponse.NotStored => Result("notStored"),
        _ => FailedOr(response),
    };

    /// <summary>The answer of a change of TTL.</summary>
    public static JsonObject Of(UpdateTtlResponse response) => response switch
    {
        UpdateTtlResponse.Set => Result("set"),
        UpdateTtlResponse.NotSet => Result("notSet"),
        UpdateTtlResponse.Missing => Result("missing"),
        _ => FailedOr(response),
    };

    /// <summary>The answer of a get with hash.</summary>
    public static JsonObject Of(GetWithHashResponse response)
    {
        if (response is not GetWithHashResponse.Hit hit)
        {
            return response is GetWithHashResponse.Miss ? Result("missing") : FailedOr(response);
        }

        var answer = Value("found", hit.Value.Span);
        answer["hashBase64"] = Convert.ToBase64String(hit.Hash.Span);
        return answer;
    }
}
