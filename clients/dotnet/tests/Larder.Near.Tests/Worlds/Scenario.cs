using Larder.Near.Tests.Exploring;
using Larder.Near.Tests.Safeguards;

namespace Larder.Near.Tests.Worlds;

/// <summary>The events that can happen in a model, and the maximum number of times that each can happen.</summary>
internal sealed record Scenario
{
    /// <summary>The maximum number of concurrent calls of a client.</summary>
    public const int CallsOfClient = 3;

    /// <summary>The maximum number of streams of a client.</summary>
    public const int StreamsOfClient = 2;

    /// <summary>
    /// The maximum version of a key. After this version, the key is not written any more. The version must fit in three bits of <see cref="LinkMessage"/>.
    /// </summary>
    public const int MaxVersions = 7;

    /// <summary>The name of the only cache.</summary>
    public const string Cache = "c";

    private static readonly uint[] s_oneTicket = [5];
    private static readonly uint[] s_twoTickets = [5, 6];

    /// <summary>Gets the description of the scenario, as a phrase.</summary>
    public required string Name { get; init; }

    /// <summary>Gets the kinds of calls that the first client may make.</summary>
    public required OperationKind First { get; init; }

    /// <summary>Gets the kinds of calls that the second client may make.</summary>
    public required OperationKind Second { get; init; }

    /// <summary>Gets the maximum number of calls of the first client.</summary>
    public int FirstCalls { get; init; } = CallsOfClient;

    /// <summary>Gets the maximum number of calls of the second client.</summary>
    public int SecondCalls { get; init; } = CallsOfClient;

    /// <summary>Gets the number of keys: one or two.</summary>
    public int Keys { get; init; } = 1;

    /// <summary>Gets whether both keys share a ticket.</summary>
    public bool SharesTicket { get; init; }

    /// <summary>Gets the number of units of time that pass.</summary>
    public int Time { get; init; }

    /// <summary>Gets the duration of the lease, in units.</summary>
    public int Lease { get; init; } = 2;

    /// <summary>Gets the time, in units, for which a write may stay invisible to other clients after the lease has ended.</summary>
    public int Grace { get; init; }

    /// <summary>Gets the maximum number of renewals by the first client.</summary>
    public int Renews { get; init; }

    /// <summary>Gets the maximum number of a client's calls that fail or are cancelled while the server continues them.</summary>
    public int Errors { get; init; }

    /// <summary>Gets whether streams can be lost.</summary>
    public bool Loses { get; init; }

    /// <summary>Gets whether streams can be replaced while they still respond.</summary>
    public bool Replaces { get; init; }

    /// <summary>Gets whether a near get whose stream is lost is retried on the next stream.</summary>
    public bool Retries { get; init; }

    /// <summary>Gets the time at which the first key's first value expires, in units. If it is 0, the value never expires.</summary>
    public int ExpiresAt { get; init; }

    /// <summary>Gets whether every second version of a key has the same bytes.</summary>
    public bool RepeatsValues { get; init; }

    /// <summary>Gets whether the server's queue for a stream starts almost full.</summary>
    public bool Overflows { get; init; }

    /// <summary>Gets whether many other keys change once. The client then receives as many tickets of these keys as it can remember.</summary>
    public bool IsFlooded { get; init; }

    /// <summary>Gets whether the model starts without open streams. Until the first stream opens, writers do not look for streams to notify.</summary>
    public bool Opens { get; init; }

    /// <summary>Gets whether the near gets of one stream run in any order.</summary>
    public bool IsUnordered { get; init; }

    /// <summary>Gets the number of nodes behind the gateways. If it is 0, there are no gateways, and a single server stores the items.</summary>
    public int Nodes { get; init; }

    /// <summary>Gets the maximum number of connections between gateways and nodes that can be lost.</summary>
    public int LinkLosses { get; init; }

    /// <summary>Gets whether both clients use one gateway. This gateway has one connection to the node for each client.</summary>
    public bool IsOneGateway { get; init; }

    /// <summary>Gets the way in which the first key's slot moves to the second node. By default, the slot does not move.</summary>
    public SlotMove Moves { get; init; }

    /// <summary>Gets whether a flush may be answered before the first gateway knows of the flush.</summary>
    public bool FlushesUnheard { get; init; }

    /// <summary>
    /// Gets whether a gateway always learns of a moved slot or a flush before two units of time have passed, even if none of its requests reveals the change.
    /// </summary>
    public bool NotifiedInTime { get; init; }

    /// <summary>Gets whether the first node is cut off together with the first gateway, so that the second node takes over.</summary>
    public bool FailsOver { get; init; }

    /// <summary>Gets whether the lease begins when a write completes, even if a cut-off node does not know of the write yet.</summary>
    public bool CountsWhileCutOff { get; init; }


    public bool IsFleet => Nodes > 0;

    public bool Expires => ExpiresAt > 0;

    /// <summary>Gets the tickets of all keys.</summary>
    public IReadOnlyList<uint> AllTickets => (Keys == 1 || SharesTicket) && !IsFleet ? s_oneTicket : s_twoTickets;

    /// <summary>Gets the number of a gateway's tracked connections.</summary>
    public int LinksOfGateway => IsOneGateway ? 2 : Nodes;

    public OperationKind KindsOf(int client) => client == 0 ? First : Second;

    public int CallsOf(int client) => client == 0 ? FirstCalls : SecondCalls;

    /// <summary>Returns the gateway of a client.</summary>
    public int GatewayOf(int client) => IsOneGateway || !IsFleet ? 0 : client;

    /// <summary>Returns the value of a version.</summary>
    public byte ValueOf(byte version) => RepeatsValues ? (byte)(version % 2) : version;

    /// <summary>Returns whether a client makes any reads. The guarantees only concern clients that read.</summary>
    public bool Reads(int client) => (KindsOf(client) & (OperationKind.NearGet | OperationKind.PlainRead)) != 0;

    public bool HasNear(int client) => (KindsOf(client) & OperationKind.NearGet) != 0;

    public uint TicketOf(int key) => AllTickets[TicketNumberOf(key)];

    /// <summary>Returns the index of a key's ticket.</summary>
    public int TicketNumberOf(int key) => AllTickets.Count == 1 ? 0 : key;

    /// <summary>Returns the tickets that a bit mask contains.</summary>
    public uint[] TicketsOf(int mask) => [.. AllTickets.Where((_, number) => (mask >> number & 1) != 0)];

    /// <summary>Returns the bit mask of a list of tickets. Tickets of other keys are ignored.</summary>
    public int MaskOf(IEnumerable<uint> tickets) => tickets.Distinct().Sum(ticket => AllTickets.Contains(ticket) ? 1 << (int)(ticket - AllTickets[0]) : 0);

    /// <summary>Explores all states of the model with all safeguards.</summary>
    public Exploration Explore() => Explorer.Explore(new NearWorld(this, Safeguard.None), Scenarios.MaxStates);
}
