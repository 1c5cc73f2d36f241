// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using System.Text.Json.Nodes;
using Larder.Client;

namespace Larder.Agent;

/// <content>The responses of conditions.</content>
internal static partial class AgentCalls
{
    private static JsonObject SetIfAnswer(SetIfResult result) => result switch
    {
        { IsStored: true } => AgentAnswer.Result("stored"),
        { IsNotStored: true } => AgentAnswer.Result("notStored"),
        _ => AgentAnswer.FailedOr(result),
    };
}
