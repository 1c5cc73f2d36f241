using Larder.Harness;
using Larder.Harness.Processes;
using Larder.Tuner.Processes;

namespace Larder.Lab;

/// <summary>How the programs that only experiments need are started.</summary>
internal static class LabAgents
{

    /// <summary>A language's load generator alone: its calls end at once. Null for .NET, whose generator is <c>Cost/NoTarget</c> in this program.</summary>
    public static ProgramCommand? OfNothing(string client) => client == "dotnet" ? null : Agents.InTree(client, "--peer", "nothing");

    /// <summary>A program that loads the server next to a measured client: flooder, attacker, tenant, guesser or large-values.</summary>
    public static ProgramCommand OfNeighbour(string neighbour) => Agents.Dotnet(neighbour, PeersProgram, neighbour);

    /// <summary>A program that makes TLS connections and closes them.</summary>
    public static ProgramCommand OfHandshakes() => Agents.InTree("python", "--peer", "handshakes");

    /// <summary>A program that measures .NET's own caches, without a near cache.</summary>
    public static ProgramCommand OfBareCaches() => Agents.Dotnet("caches", PeersProgram, "caches");

    /// <summary>A program of many clients of one server, some with a near stream.</summary>
    public static ProgramCommand OfAudience() => Agents.Dotnet("audience", PeersProgram, "audience");

    /// <summary>The program that publishes to one of the topic servers and subscribes to it: <c>larder</c>, <c>redis</c> or <c>nats</c>.</summary>
    public static ProgramCommand OfTopics(string peer) => Agents.Dotnet($"topics of {peer}", PeersProgram, "topics", peer);

    private static string PeersProgram => Checkout.Program("lab/src/Larder.Lab.Peers", "Larder.Lab.Peers");
}
