// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <content>The responses of lists.</content>
internal static partial class AgentCalls
{
    private static JsonObject Of(ListPushFrontResponse response) => response switch
    {
        ListPushFrontResponse.Success told => AgentAnswer.Result("success").With("length", told.Length),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(ListPushBackResponse response) => response switch
    {
        ListPushBackResponse.Success told => AgentAnswer.Result("success").With("length", told.Length),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(ListConcatenateFrontResponse response) => response switch
    {
        ListConcatenateFrontResponse.Success told => AgentAnswer.Result("success").With("length", told.Length),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(ListConcatenateBackResponse response) => response switch
    {
        ListConcatenateBackResponse.Success told => AgentAnswer.Result("success").With("length", told.Length),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(ListPopFrontResponse response) => response switch
    {
        ListPopFrontResponse.Hit hit => AgentAnswer.Result("hit").WithBytes("value", hit.Value.Span).With("length", hit.Length),
        ListPopFrontResponse.Miss => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(ListPopBackResponse response) => response switch
    {
        ListPopBackResponse.Hit hit => AgentAnswer.Result("hit").WithBytes("value", hit.Value.Span).With("length", hit.Length),
        ListPopBackResponse.Miss => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(ListFetchResponse response) => response switch
    {
        ListFetchResponse.Hit hit => AgentAnswer.Result("hit").WithList("values", hit.Values),
        ListFetchResponse.Miss => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(ListRetainResponse response) => response switch
    {
        ListRetainResponse.Hit hit => AgentAnswer.Result("hit").With("length", hit.Length),
        ListRetainResponse.Miss => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(ListRemoveResponse response) => response switch
    {
        ListRemoveResponse.Hit hit => AgentAnswer.Result("hit").With("length", hit.Length),
        ListRemoveResponse.Miss => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(ListEraseResponse response) => response switch
    {
        ListEraseResponse.Hit hit => AgentAnswer.Result("hit").With("length", hit.Length),
        ListEraseResponse.Miss => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(ListLengthResponse response) => response switch
    {
        ListLengthResponse.Hit hit => AgentAnswer.Result("hit").With("length", hit.Length),
        ListLengthResponse.Miss => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(response),
    };
}
