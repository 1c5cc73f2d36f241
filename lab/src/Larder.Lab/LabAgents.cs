using Larder.Harness;
using Larder.Harness.Processes;
using Larder.Tuner.Processes;

namespace Larder.Lab;

/// <summary>Returns the commands that start the programs that only the lab uses.</summary>
internal static class LabAgents
{

    /// <summary>
    /// Returns the program that runs only the load generator of a language, with calls that end immediately. Returns null for .NET, whose generator is
    /// <c>Cost/NoTarget</c> in this program.
    /// </summary>
    public static ProgramCommand? OfNothing(string client) => client == "dotnet" ? null : Agents.InTree(client, "--peer", "nothing");

    /// <summary>Returns a program that loads the server while another client is measured: flooder, attacker, tenant, guesser or large-values.</summary>
    public static ProgramCommand OfNeighbour(string neighbour) => Agents.Dotnet(neighbour, PeersProgram, neighbour);

    /// <summary>Returns a program that opens and closes TLS connections.</summary>
    public static ProgramCommand OfHandshakes() => Agents.InTree("python", "--peer", "handshakes");

    /// <summary>Returns a program that measures .NET's own caches instead of a near cache.</summary>
    public static ProgramCommand OfBareCaches() => Agents.Dotnet("caches", PeersProgram, "caches");

    /// <summary>Returns a program with many clients of one server, some with a near stream.</summary>
    public static ProgramCommand OfAudience() => Agents.Dotnet("audience", PeersProgram, "audience");

    /// <summary>Returns a program with thousands of near streams to one server.</summary>
    public static ProgramCommand OfNearStreams() => Agents.Dotnet("near-streams", PeersProgram, "near-streams");

    /// <summary>Returns the program that publishes to one of the topic servers and subscribes to it: <c>larder</c>, <c>redis</c> or <c>nats</c>.</summary>
    public static ProgramCommand OfTopics(string peer) => Agents.Dotnet($"topics of {peer}", PeersProgram, "topics", peer);

    private static string PeersProgram => Checkout.Program("lab/src/Larder.Lab.Peers", "Larder.Lab.Peers");
}
