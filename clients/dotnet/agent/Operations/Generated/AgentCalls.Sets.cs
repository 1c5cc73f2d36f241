// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <content>The responses of sets.</content>
internal static partial class AgentCalls
{
    private static JsonObject Of(SetFetchResponse response) => response switch
    {
        SetFetchResponse.Hit hit => AgentAnswer.Result("hit").WithList("elements", hit.Elements),
        SetFetchResponse.Miss => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(SetSampleResponse response) => response switch
    {
        SetSampleResponse.Hit hit => AgentAnswer.Result("hit").WithList("elements", hit.Elements),
        SetSampleResponse.Miss => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(SetUnionResponse response) => response switch
    {
        SetUnionResponse.Success => AgentAnswer.Result("success"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(SetDifferenceResponse response) => response switch
    {
        SetDifferenceResponse.Hit => AgentAnswer.Result("hit"),
        SetDifferenceResponse.Miss => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(SetContainsResponse response) => response switch
    {
        SetContainsResponse.Hit hit => AgentAnswer.Result("hit").WithList("contains", hit.Contains),
        SetContainsResponse.Miss => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(SetLengthResponse response) => response switch
    {
        SetLengthResponse.Hit hit => AgentAnswer.Result("hit").With("length", hit.Length),
        SetLengthResponse.Miss => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(SetPopResponse response) => response switch
    {
        SetPopResponse.Hit hit => AgentAnswer.Result("hit").WithList("elements", hit.Elements),
        SetPopResponse.Miss => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(response),
    };
}
