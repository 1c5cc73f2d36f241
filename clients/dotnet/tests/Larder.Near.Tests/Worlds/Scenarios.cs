using static Larder.Near.Tests.Worlds.OperationKind;

namespace Larder.Near.Tests.Worlds;

/// <summary>The explored scenarios. Each is small enough to explore all its interleavings, and together they cover every kind of fault.</summary>
internal static class Scenarios
{
    /// <summary>The number of states after which an exploration stops. At this number, the visited states use about 2 GB of memory.</summary>
    public const int MaxStates = 40_000_000;

    private static readonly Scenario s_timed = new() { Name = "", First = NearGet, Second = Write, SecondCalls = 2, Time = 2, Lease = 1, Renews = 1 };

    private static readonly Scenario s_fleet = s_timed with { Nodes = 1 };

    private static readonly Scenario s_walk = new()
    {
        Name = "a walk",
        First = NearGet | PlainRead | Write | Delete,
        Second = NearGet | PlainRead | Write,
        FirstCalls = 30,
        SecondCalls = 12,
        Keys = 2,
        Time = 8,
        Renews = 6,
        Errors = 2,
        IsUnordered = true,
    };

    private static readonly Scenario s_lossyWalk = s_walk with
    {
        Name = "a walk with streams that are lost",
        First = NearGet | PlainRead | Flush,
        Second = NearGet | Writes,
        Loses = true,
        Replaces = true,
        Retries = true,
        ExpiresAt = 4,
    };

    private static readonly Scenario s_fleetWalk = s_walk with { Name = "a walk in a fleet", Nodes = 2, LinkLosses = 2, Moves = SlotMove.Notified };

    public static readonly Scenario Reads = new() { Name = "three near gets, three writes of another", First = NearGet, Second = Write };

    public static readonly Scenario PlainReads =
        new() { Name = "near gets and plain reads, three writes of another", First = NearGet | PlainRead, Second = Write };

    public static readonly Scenario OwnWrites =
        new() { Name = "near gets and own writes, writes of another", First = NearGet | Write, Second = Write };

    public static readonly Scenario BothNear =
        new() { Name = "two clients with near gets and writes", First = NearGet | Write, Second = NearGet | Write, FirstCalls = 2, SecondCalls = 2 };

    public static readonly Scenario Errors =
        new() { Name = "calls that end in an error while the server goes on", First = NearGet | Write, Second = Write, SecondCalls = 1, Errors = 1 };

    public static readonly Scenario Deletes =
        new() { Name = "deletions, and values too large", First = NearGet | PlainRead, Second = Write | Delete | LargeWrite, SecondCalls = 2 };

    public static readonly Scenario SharedTicket =
        new() { Name = "two keys of one ticket", First = NearGet | PlainRead, Second = Write, FirstCalls = 2, SecondCalls = 2, Keys = 2, SharesTicket = true };

    public static readonly Scenario OwnFlush = new() { Name = "own flushes", First = NearGet | Flush, Second = Write, SecondCalls = 1, Keys = 2 };

    public static readonly Scenario Flushes = s_timed with { Name = "flushes of another", Second = Flush | Write, Keys = 2, FirstCalls = 2, Time = 1 };

    public static readonly Scenario Lease = s_timed with { Name = "a lease that ends and is renewed" };

    public static readonly Scenario TwoStripes = s_timed with { Name = "a lease, and two keys", Keys = 2, Time = 1, FirstCalls = 2 };

    public static readonly Scenario Expiry = s_timed with { Name = "a value that expires", ExpiresAt = 1, Lease = 2, Renews = 0, SecondCalls = 1 };

    public static readonly Scenario Unordered =
        new() { Name = "near gets that are run in any order", First = NearGet | PlainRead, Second = Write, SecondCalls = 2, IsUnordered = true };

    public static readonly Scenario Repeats = PlainReads with { Name = "values that come again", RepeatsValues = true };

    public static readonly Scenario RepeatsTimed = s_timed with { Name = "values that come again, and a lease", RepeatsValues = true, Time = 1 };

    public static readonly Scenario Overflow = s_timed with { Name = "more tickets than wait", Overflows = true, Keys = 2, Time = 0, Renews = 0 };

    public static readonly Scenario Flood =
        new() { Name = "more tickets than are remembered", First = NearGet, Second = Write, FirstCalls = 2, SecondCalls = 1, IsFlooded = true };

    public static readonly Scenario Loss =
        s_timed with { Name = "a stream that is lost, its number used again", Loses = true, Retries = true, FirstCalls = 2, SecondCalls = 1, Time = 1 };

    /// <summary>The client's plain reads and writes are on another stream, which becomes the near stream when the first is lost (PIPE-23).</summary>
    public static readonly Scenario TwoStreams = Loss with
    {
        Name = "a client with two streams, one of which is lost",
        First = NearGet | PlainRead | Write,
        Retries = false,
        Time = 0,
        Renews = 0,
    };

    public static readonly Scenario Replacement =
        s_timed with { Name = "a stream that is replaced, and still answers", Replaces = true, FirstCalls = 2, SecondCalls = 1, Renews = 2 };

    public static readonly Scenario Opening = s_timed with { Name = "the first near stream, and writers that look for none", Opens = true, Time = 1 };

    public static readonly Scenario Fleet = s_fleet with { Name = "a fleet: a lease that ends and is renewed" };

    public static readonly Scenario FleetReads = s_fleet with
    {
        Name = "a fleet: near gets, plain reads and writes",
        First = NearGet | PlainRead | Write,
        Time = 0,
        Renews = 0,
        SecondCalls = 3,
    };

    public static readonly Scenario FleetOneGateway = s_fleet with
    {
        Name = "a fleet: two clients at one gateway, a connection for each",
        Second = NearGet | Write,
        IsOneGateway = true,
        FirstCalls = 2,
        SecondCalls = 2,
        Time = 1,
    };

    public static readonly Scenario FleetLinkLoss = s_fleet with { Name = "a fleet: a tracked connection that is lost", SecondCalls = 1, LinkLosses = 1 };

    public static readonly Scenario FleetTwoNodes = s_fleet with { Name = "a fleet: two keys at two nodes", Nodes = 2, Keys = 2, SecondCalls = 1, Time = 1 };

    public static readonly Scenario FleetMigration = s_fleet with
    {
        Name = "a fleet: a slot that is migrated",
        Nodes = 2,
        Moves = SlotMove.Notified,
        FirstCalls = 2,
        SecondCalls = 1,
        Time = 1,
    };

    public static readonly Scenario FleetTaking = s_fleet with
    {
        Name = "a fleet: a slot that is taken, and heard of in time",
        Nodes = 2,
        Moves = SlotMove.Silent,
        NotifiedInTime = true,
        Grace = 1,
        FirstCalls = 2,
        SecondCalls = 1,
        Time = 3,
        Lease = 2,
    };

    public static readonly Scenario FleetFlush = s_fleet with { Name = "a fleet: flushes", Second = Flush | Write, FirstCalls = 2, Time = 1 };

    public static readonly Scenario FleetFlushUnheard = s_fleet with
    {
        Name = "a fleet: a flush that is answered before a gateway has heard of it",
        Second = Flush,
        FlushesUnheard = true,
        NotifiedInTime = true,
        FirstCalls = 2,
        SecondCalls = 1,
        Time = 3,
        Lease = 2,
    };

    public static readonly Scenario FleetFailover = s_fleet with
    {
        Name = "a fleet: a node that is cut off, the lease counted from when it answers no more",
        Nodes = 2,
        FailsOver = true,
        FirstCalls = 2,
        SecondCalls = 1,
    };

    /// <summary>This scenario violates the guarantees. FLEET-17 documents that.</summary>
    public static readonly Scenario FleetCutOff =
        FleetFailover with { Name = "a fleet: a node that is cut off, the lease counted from a write's end", CountsWhileCutOff = true };

    /// <summary>
    /// Shows why gateways must read the slots regularly. No node reports this move of a slot, so the notifications of NEAR-41 are not sufficient.
    /// </summary>
    public static readonly Scenario FleetTakingUnheard = FleetTaking with { Name = "a fleet: a slot that is taken, and not heard of", NotifiedInTime = false };

    /// <summary>Larger variants of the scenarios, for long runs.</summary>
    private static readonly Scenario[] s_long =
    [
        OwnWrites with { Name = "long: near gets, plain reads and own writes, writes of another", First = NearGet | PlainRead | Write },
        BothNear with { Name = "long: two clients with three near gets and writes", FirstCalls = 3, SecondCalls = 3 },
        Errors with { Name = "long: calls that end in an error, two writes of another", SecondCalls = 2 },
        Lease with { Name = "long: a lease of two units that is renewed twice", Time = 3, Lease = 2, Renews = 2 },
        Lease with { Name = "long: a lease, plain reads and own writes", First = NearGet | PlainRead | Write, Time = 1 },
        TwoStripes with { Name = "long: a lease, and two keys, two renews", Time = 2, Renews = 2 },
        Expiry with { Name = "long: a value that expires, and is renewed", ExpiresAt = 2, Time = 3, Renews = 1 },
        Loss with { Name = "long: streams that are lost, two writes", SecondCalls = 2, FirstCalls = 3, Time = 0, Renews = 0 },
        Loss with { Name = "long: streams that are lost, three near gets", FirstCalls = 3 },
        Replacement with { Name = "long: a stream that is replaced, two writes", SecondCalls = 2 },
        Opening with { Name = "long: the first near stream, more than once", Loses = true, FirstCalls = 2, SecondCalls = 1 },
        FleetOneGateway with { Name = "long: a fleet: two clients at one gateway, three calls", FirstCalls = 3, Renews = 0, Time = 0 },
        FleetLinkLoss with { Name = "long: a fleet: a tracked connection that is lost, two writes", SecondCalls = 2 },
        FleetMigration with { Name = "long: a fleet: a slot that is migrated, three near gets", FirstCalls = 3 },
        FleetFailover with { Name = "long: a fleet: a node that is cut off, three near gets", FirstCalls = 3 },
    ];

    /// <summary>Gets the scenarios in which no guarantee may be violated.</summary>
    public static IReadOnlyList<Scenario> All { get; } =
    [
        Reads, PlainReads, OwnWrites, BothNear, Errors, Deletes, SharedTicket, OwnFlush, Flushes, Lease, TwoStripes, Expiry, Unordered, Repeats, RepeatsTimed,
        Overflow, Flood, Loss, TwoStreams, Replacement, Opening, Fleet, FleetReads, FleetOneGateway, FleetLinkLoss, FleetTwoNodes, FleetMigration, FleetTaking,
        FleetFlush, FleetFlushUnheard, FleetFailover,
        .. IsLong ? s_long : [],
    ];

    /// <summary>Gets the scenarios that show what is not guaranteed, each with the rule that documents this exception.</summary>
    public static IReadOnlyList<(Scenario Scenario, string Where)> NotPromised { get; } =
    [
        (FleetCutOff, "FLEET-17: a gateway that is cut off with a node reads there what others have written anew elsewhere, until the node refuses"),
        (FleetTakingUnheard, "NEAR-41: a slot that is taken from its node with its keys in it; so the slots are read each second"),
    ];

    /// <summary>Gets the scenarios for random walks. They have more calls, more time and two keys.</summary>
    public static IReadOnlyList<Scenario> Walks { get; } = [s_walk, s_lossyWalk, s_fleetWalk];

    /// <summary>Gets whether a run may take longer than a minute.</summary>
    public static bool IsLong => Environment.GetEnvironmentVariable("LARDER_LONG") == "1";
}
