namespace Larder.Wire.Tests.Http2.Rules;

/// <summary>The list: every rule that frames can break, and who is held to it.</summary>
internal static class RuleList
{
    private static readonly Rule[] Both =
        [.. FrameRules.All, .. StreamRules.All, .. ControlFrameRules.All, .. FlowRules.All, .. MessageRules.All, .. CompressionRules.All];

    /// <summary>What a client is held to, by the rules' names.</summary>
    public static readonly IReadOnlyDictionary<string, Rule> OfClients =
        Named([.. Both, .. RequestStreamRules.All, .. RequestFlowRules.All, .. RequestRules.All]);

    /// <summary>What a server is held to, by the rules' names.</summary>
    public static readonly IReadOnlyDictionary<string, Rule> OfServers = Named([.. Both, .. AnswerRules.All]);

    private static Dictionary<string, Rule> Named(Rule[] rules) => rules.ToDictionary(rule => rule.Name);
}
