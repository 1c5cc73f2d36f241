using Larder.Near.Tests.Exploring;
using Larder.Near.Tests.Safeguards;

namespace Larder.Near.Tests.Worlds;

/// <summary>What may happen in a world, and how much of it.</summary>
internal sealed record Scenario
{
    /// <summary>Calls of a client that are under way at once.</summary>
    public const int CallsOfClient = 3;

    /// <summary>Streams of a client at most.</summary>
    public const int StreamsOfClient = 2;

    /// <summary>Versions of a key at most; then nobody writes any more. What is counted of them has three bits (<see cref="LinkMessage"/>).</summary>
    public const int MostVersions = 7;

    /// <summary>The one cache.</summary>
    public const string Cache = "c";

    private static readonly uint[] s_oneTicket = [5];
    private static readonly uint[] s_twoTickets = [5, 6];

    /// <summary>What it is about, as a sentence.</summary>
    public required string Name { get; init; }

    /// <summary>What the first client may call.</summary>
    public required OperationKind First { get; init; }

    /// <summary>What the second client may call.</summary>
    public required OperationKind Second { get; init; }

    /// <summary>How many calls the first makes at most.</summary>
    public int FirstCalls { get; init; } = CallsOfClient;

    /// <summary>How many calls the second makes at most.</summary>
    public int SecondCalls { get; init; } = CallsOfClient;

    /// <summary>Keys: one or two.</summary>
    public int Keys { get; init; } = 1;

    /// <summary>Whether both keys have one ticket.</summary>
    public bool SharesTicket { get; init; }

    /// <summary>How often time passes.</summary>
    public int Time { get; init; }

    /// <summary>The lease, in units.</summary>
    public int Lease { get; init; } = 2;

    /// <summary>How much longer than the lease another's write may be unseen, in units.</summary>
    public int Grace { get; init; }

    /// <summary>Renews of the first client at most.</summary>
    public int Renews { get; init; }

    /// <summary>Calls of a client that end early for their caller, in an error or because it gives up, while the server goes on.</summary>
    public int Errors { get; init; }

    /// <summary>Whether streams are lost.</summary>
    public bool Loses { get; init; }

    /// <summary>Whether streams are replaced, and still answer.</summary>
    public bool Replaces { get; init; }

    /// <summary>Whether a near get whose stream is lost is sent again on the next.</summary>
    public bool Retries { get; init; }

    /// <summary>When the first key's first value expires, in units; 0: never.</summary>
    public int ExpiresAt { get; init; }

    /// <summary>Whether each second version of a key has the same bytes again.</summary>
    public bool RepeatsValues { get; init; }

    /// <summary>Whether what waits for a stream is all but too much.</summary>
    public bool Overflows { get; init; }

    /// <summary>Whether the client is told, once, more tickets of others than it remembers.</summary>
    public bool IsFlooded { get; init; }

    /// <summary>Whether streams are yet to be opened, the first of them while writers look for nobody.</summary>
    public bool Opens { get; init; }

    /// <summary>Whether near gets of one stream are run in any order.</summary>
    public bool IsUnordered { get; init; }

    /// <summary>Nodes behind two gateways, one for each client; 0: a server that has the items itself.</summary>
    public int Nodes { get; init; }

    /// <summary>Connections between a gateway and a node that are lost.</summary>
    public int LinkLosses { get; init; }

    /// <summary>Whether both clients are at one gateway, which has a connection to the node for each.</summary>
    public bool IsOneGateway { get; init; }

    /// <summary>Whether the first key's slot moves to the second node.</summary>
    public SlotMove Moves { get; init; }

    /// <summary>Whether a flush may be answered though the first gateway has not heard of it.</summary>
    public bool FlushesUnheard { get; init; }

    /// <summary>Whether a gateway hears of a move or a flush before time has passed twice, though nothing that it does shows it.</summary>
    public bool HearsInTime { get; init; }

    /// <summary>Whether the first node is cut off together with the first gateway, and the second takes its place.</summary>
    public bool FailsOver { get; init; }

    /// <summary>Whether the lease counts from a write's end also where a node that was cut off does not know of it yet.</summary>
    public bool CountsWhileCutOff { get; init; }


    public bool IsFleet => Nodes > 0;

    public bool Expires => ExpiresAt > 0;

    /// <summary>The tickets of the keys.</summary>
    public IReadOnlyList<uint> AllTickets => (Keys == 1 || SharesTicket) && !IsFleet ? s_oneTicket : s_twoTickets;

    /// <summary>Tracked connections of a gateway.</summary>
    public int LinksOfGateway => IsOneGateway ? 2 : Nodes;

    public OperationKind KindsOf(int client) => client == 0 ? First : Second;

    public int CallsOf(int client) => client == 0 ? FirstCalls : SecondCalls;

    /// <summary>The gateway of a client.</summary>
    public int GatewayOf(int client) => IsOneGateway || !IsFleet ? 0 : client;

    /// <summary>What a version's value is.</summary>
    public byte ValueOf(byte version) => RepeatsValues ? (byte)(version % 2) : version;

    /// <summary>Whether a client reads at all: of one that does not, nothing is promised.</summary>
    public bool Reads(int client) => (KindsOf(client) & (OperationKind.NearGet | OperationKind.PlainRead)) != 0;

    public bool HasNear(int client) => (KindsOf(client) & OperationKind.NearGet) != 0;

    public uint TicketOf(int key) => AllTickets[TicketNumberOf(key)];

    /// <summary>Which of the tickets a key has.</summary>
    public int TicketNumberOf(int key) => AllTickets.Count == 1 ? 0 : key;

    /// <summary>Tickets of a mask.</summary>
    public uint[] TicketsOf(int mask) => [.. AllTickets.Where((_, number) => (mask >> number & 1) != 0)];

    /// <summary>The mask of tickets; those of others count for nothing.</summary>
    public int MaskOf(IEnumerable<uint> tickets) => tickets.Distinct().Sum(ticket => AllTickets.Contains(ticket) ? 1 << (int)(ticket - AllTickets[0]) : 0);

    /// <summary>Meets every state of such a world, with all safeguards.</summary>
    public Exploration Explore() => Explorer.Explore(new NearWorld(this, Safeguard.None), Scenarios.MostStates);
}
