// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <content>The responses of dictionaries.</content>
internal static partial class AgentCalls
{
    private static JsonObject Of(DictionaryGetResponse response) => response switch
    {
        DictionaryGetResponse.Hit hit => AgentAnswer.Result("hit").WithList("values", hit.Values),
        DictionaryGetResponse.Miss => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(DictionaryFetchResponse response) => response switch
    {
        DictionaryFetchResponse.Hit hit => AgentAnswer.Result("hit").WithList("items", hit.Items),
        DictionaryFetchResponse.Miss => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(DictionarySetResponse response) => response switch
    {
        DictionarySetResponse.Success => AgentAnswer.Result("success"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(DictionaryIncrementResponse response) => response switch
    {
        DictionaryIncrementResponse.Success told => AgentAnswer.Result("success").WithNumber("number", told.Value),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(DictionaryDeleteResponse response) => response switch
    {
        DictionaryDeleteResponse.Success => AgentAnswer.Result("success"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(DictionaryLengthResponse response) => response switch
    {
        DictionaryLengthResponse.Hit hit => AgentAnswer.Result("hit").With("length", hit.Length),
        DictionaryLengthResponse.Miss => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(response),
    };
}
