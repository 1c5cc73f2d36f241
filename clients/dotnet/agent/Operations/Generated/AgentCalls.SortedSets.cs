// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <content>The responses of sorted sets.</content>
internal static partial class AgentCalls
{
    private static JsonObject Of(SortedSetPutResponse response) => response switch
    {
        SortedSetPutResponse.Success => AgentAnswer.Result("success"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(SortedSetFetchResponse response) => response switch
    {
        SortedSetFetchResponse.Hit hit => AgentAnswer.Result("hit").WithList("elements", hit.Elements),
        SortedSetFetchResponse.Miss => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(SortedSetGetScoreResponse response) => response switch
    {
        SortedSetGetScoreResponse.Hit hit => AgentAnswer.Result("hit").WithList("scores", hit.Scores),
        SortedSetGetScoreResponse.Miss => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(SortedSetGetRankResponse response) => response switch
    {
        SortedSetGetRankResponse.Hit hit => AgentAnswer.Result("hit").With("rank", hit.Rank),
        SortedSetGetRankResponse.Miss => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(SortedSetIncrementResponse response) => response switch
    {
        SortedSetIncrementResponse.Success told => AgentAnswer.Result("success").WithScore("score", told.Score),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(SortedSetRemoveResponse response) => response switch
    {
        SortedSetRemoveResponse.Success => AgentAnswer.Result("success"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(SortedSetLengthResponse response) => response switch
    {
        SortedSetLengthResponse.Hit hit => AgentAnswer.Result("hit").With("length", hit.Length),
        SortedSetLengthResponse.Miss => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(SortedSetLengthByScoreResponse response) => response switch
    {
        SortedSetLengthByScoreResponse.Hit hit => AgentAnswer.Result("hit").With("length", hit.Length),
        SortedSetLengthByScoreResponse.Miss => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(response),
    };

    private static JsonObject Of(SortedSetUnionStoreResponse response) => response switch
    {
        SortedSetUnionStoreResponse.Success told => AgentAnswer.Result("success").With("length", told.Length),
        _ => AgentAnswer.FailedOr(response),
    };
}
