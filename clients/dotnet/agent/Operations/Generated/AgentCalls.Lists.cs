// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <content>The responses of lists.</content>
internal static partial class AgentCalls
{
    private static JsonObject ListPushFrontAnswer(CacheResult<int> result) => result switch
    {
        { IsSuccess: true } => AgentAnswer.Result("success").With("length", result.Value),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject ListPushBackAnswer(CacheResult<int> result) => result switch
    {
        { IsSuccess: true } => AgentAnswer.Result("success").With("length", result.Value),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject ListConcatenateFrontAnswer(CacheResult<int> result) => result switch
    {
        { IsSuccess: true } => AgentAnswer.Result("success").With("length", result.Value),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject ListConcatenateBackAnswer(CacheResult<int> result) => result switch
    {
        { IsSuccess: true } => AgentAnswer.Result("success").With("length", result.Value),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject ListPopFrontAnswer(LookupResult<PoppedElement> result) => result switch
    {
        { IsHit: true } => AgentAnswer.Result("hit").WithBytes("value", result.Value.Value.Span).With("length", result.Value.Length),
        { IsMiss: true } => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject ListPopBackAnswer(LookupResult<PoppedElement> result) => result switch
    {
        { IsHit: true } => AgentAnswer.Result("hit").WithBytes("value", result.Value.Value.Span).With("length", result.Value.Length),
        { IsMiss: true } => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject ListFetchAnswer(LookupResult<IReadOnlyList<CacheValue>> result) => result switch
    {
        { IsHit: true } => AgentAnswer.Result("hit").WithList("values", result.Value),
        { IsMiss: true } => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject ListRetainAnswer(LookupResult<int> result) => result switch
    {
        { IsHit: true } => AgentAnswer.Result("hit").With("length", result.Value),
        { IsMiss: true } => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject ListRemoveAnswer(LookupResult<int> result) => result switch
    {
        { IsHit: true } => AgentAnswer.Result("hit").With("length", result.Value),
        { IsMiss: true } => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject ListEraseAnswer(LookupResult<int> result) => result switch
    {
        { IsHit: true } => AgentAnswer.Result("hit").With("length", result.Value),
        { IsMiss: true } => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(result),
    };

    private static JsonObject ListLengthAnswer(LookupResult<int> result) => result switch
    {
        { IsHit: true } => AgentAnswer.Result("hit").With("length", result.Value),
        { IsMiss: true } => AgentAnswer.Result("miss"),
        _ => AgentAnswer.FailedOr(result),
    };
}
