using Larder.Near.Tests.Exploring;
using Larder.Near.Tests.Safeguards;

namespace Larder.Near.Tests.Worlds;

/// <summary>The events that can happen in a model, and their limits.</summary>
internal sealed record Scenario
{
    /// <summary>The maximum number of concurrent calls of a client.</summary>
    public const int CallsOfClient = 3;

    /// <summary>The maximum number of streams of a client.</summary>
    public const int StreamsOfClient = 2;

    /// <summary>
    /// The maximum version of a key; after it nothing is written any more. It fits in the three bits that <see cref="LinkMessage"/> has for it.
    /// </summary>
    public const int MaxVersions = 7;

    /// <summary>The name of the only cache.</summary>
    public const string Cache = "c";

    private static readonly uint[] s_oneTicket = [5];
    private static readonly uint[] s_twoTickets = [5, 6];

    /// <summary>Gets the description, as a phrase.</summary>
    public required string Name { get; init; }

    /// <summary>Gets the calls that the first client may make.</summary>
    public required OperationKind First { get; init; }

    /// <summary>Gets the calls that the second client may make.</summary>
    public required OperationKind Second { get; init; }

    /// <summary>Gets the maximum number of calls of the first client.</summary>
    public int FirstCalls { get; init; } = CallsOfClient;

    /// <summary>Gets the maximum number of calls of the second client.</summary>
    public int SecondCalls { get; init; } = CallsOfClient;

    /// <summary>Gets the number of keys: one or two.</summary>
    public int Keys { get; init; } = 1;

    /// <summary>Gets whether both keys share a ticket.</summary>
    public bool SharesTicket { get; init; }

    /// <summary>Gets how many units of time pass.</summary>
    public int Time { get; init; }

    /// <summary>Gets the duration of the lease, in units.</summary>
    public int Lease { get; init; } = 2;

    /// <summary>Gets how much longer than the lease another client's write may stay unseen, in units.</summary>
    public int Grace { get; init; }

    /// <summary>Gets the maximum number of renewals by the first client.</summary>
    public int Renews { get; init; }

    /// <summary>
    /// Gets the maximum number of a client's calls that end early for their caller, by an error or because it gives up, while the server continues.
    /// </summary>
    public int Errors { get; init; }

    /// <summary>Gets whether streams can be lost.</summary>
    public bool Loses { get; init; }

    /// <summary>Gets whether streams can be replaced while they still respond.</summary>
    public bool Replaces { get; init; }

    /// <summary>Gets whether a near get whose stream is lost is retried on the next stream.</summary>
    public bool Retries { get; init; }

    /// <summary>Gets the time at which the first key's first value expires, in units; 0 means never.</summary>
    public int ExpiresAt { get; init; }

    /// <summary>Gets whether every second version of a key has the same bytes.</summary>
    public bool RepeatsValues { get; init; }

    /// <summary>Gets whether the server's queue for a stream starts almost full.</summary>
    public bool Overflows { get; init; }

    /// <summary>Gets whether the client receives, once, as many tickets of other keys as it remembers.</summary>
    public bool IsFlooded { get; init; }

    /// <summary>Gets whether streams are not open at the start. Until the first one opens, writers do not look for streams to notify.</summary>
    public bool Opens { get; init; }

    /// <summary>Gets whether the near gets of one stream run in any order.</summary>
    public bool IsUnordered { get; init; }

    /// <summary>Gets the number of nodes behind two gateways, one for each client; 0 for a single server that stores the items itself.</summary>
    public int Nodes { get; init; }

    /// <summary>Gets the number of connections between gateways and nodes that are lost.</summary>
    public int LinkLosses { get; init; }

    /// <summary>Gets whether both clients use one gateway, which has one connection to the node for each of them.</summary>
    public bool IsOneGateway { get; init; }

    /// <summary>Gets how the first key's slot moves to the second node, if it does.</summary>
    public SlotMove Moves { get; init; }

    /// <summary>Gets whether a flush may be answered although the first gateway does not know of it.</summary>
    public bool FlushesUnheard { get; init; }

    /// <summary>Gets whether a gateway always learns of a move or a flush before time has passed twice, even if none of its requests reveals it.</summary>
    public bool NotifiedInTime { get; init; }

    /// <summary>Gets whether the first node is cut off together with the first gateway, and the second node takes over.</summary>
    public bool FailsOver { get; init; }

    /// <summary>Gets whether the lease counts from a write's end even if a cut-off node does not know of it yet.</summary>
    public bool CountsWhileCutOff { get; init; }


    public bool IsFleet => Nodes > 0;

    public bool Expires => ExpiresAt > 0;

    /// <summary>Gets the tickets of the keys.</summary>
    public IReadOnlyList<uint> AllTickets => (Keys == 1 || SharesTicket) && !IsFleet ? s_oneTicket : s_twoTickets;

    /// <summary>Gets the number of a gateway's tracked connections.</summary>
    public int LinksOfGateway => IsOneGateway ? 2 : Nodes;

    public OperationKind KindsOf(int client) => client == 0 ? First : Second;

    public int CallsOf(int client) => client == 0 ? FirstCalls : SecondCalls;

    /// <summary>Returns the gateway of a client.</summary>
    public int GatewayOf(int client) => IsOneGateway || !IsFleet ? 0 : client;

    /// <summary>Returns the value of a version.</summary>
    public byte ValueOf(byte version) => RepeatsValues ? (byte)(version % 2) : version;

    /// <summary>Returns whether a client reads at all. There are no guarantees for a client that does not.</summary>
    public bool Reads(int client) => (KindsOf(client) & (OperationKind.NearGet | OperationKind.PlainRead)) != 0;

    public bool HasNear(int client) => (KindsOf(client) & OperationKind.NearGet) != 0;

    public uint TicketOf(int key) => AllTickets[TicketNumberOf(key)];

    /// <summary>Returns the index of a key's ticket.</summary>
    public int TicketNumberOf(int key) => AllTickets.Count == 1 ? 0 : key;

    /// <summary>Returns the tickets of a bit mask.</summary>
    public uint[] TicketsOf(int mask) => [.. AllTickets.Where((_, number) => (mask >> number & 1) != 0)];

    /// <summary>Returns the bit mask of tickets. Tickets of other keys are ignored.</summary>
    public int MaskOf(IEnumerable<uint> tickets) => tickets.Distinct().Sum(ticket => AllTickets.Contains(ticket) ? 1 << (int)(ticket - AllTickets[0]) : 0);

    /// <summary>Explores all states of the model with all safeguards.</summary>
    public Exploration Explore() => Explorer.Explore(new NearWorld(this, Safeguard.None), Scenarios.MaxStates);
}
